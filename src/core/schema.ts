import "reflect-metadata";
import type { GraphQLSchema } from "graphql";
import { buildSchemaSync } from "type-graphql";
import { ApiKey } from "./credentials/api-key.entity.ts";
import { ApiKeyResolver, ShopApiKeysResolver } from "./credentials/api-key.resolver.ts";
import { AuditEntry } from "./credentials/audit-entry.entity.ts";
import { AuditEntryResolver, ShopAuditResolver } from "./credentials/audit.resolver.ts";
import { ServiceToken } from "./credentials/service-token.entity.ts";
import { ServiceTokenResolver } from "./credentials/service-token.resolver.ts";
import { Customer, StoreCreditEntry } from "./customers/customer.entity.ts";
import { CustomerResolver, ShopCustomersResolver } from "./customers/customer.resolver.ts";
import { StoreCreditResolver } from "./customers/store-credit.resolver.ts";
import { IdempotencyKey } from "./idempotency/idempotency-key.entity.ts";
import { NumberSequence } from "./orders/number-sequence.entity.ts";
import { OrderItem } from "./orders/order-item.entity.ts";
import { OrderMutationsResolver } from "./orders/order-mutations.resolver.ts";
import { Order } from "./orders/order.entity.ts";
import { OrderResolver, ShopOrdersResolver } from "./orders/order.resolver.ts";
import { Payment, Refund, RefundItem, RefundPayment } from "./orders/payment.entity.ts";
import { authChecker } from "./permissions.ts";
import { Product, Variant } from "./products/product.entity.ts";
import { ProductBulkResolver } from "./products/product-bulk.resolver.ts";
import { ProductResolver, ShopProductsResolver } from "./products/product.resolver.ts";
import { StockChange } from "./products/stock-change.entity.ts";
import { StockResolver } from "./products/stock.resolver.ts";
import { VariantResolver } from "./products/variant.resolver.ts";
import { RecordCount } from "./record-count.entity.ts";
import { Shop } from "./shops/shop.entity.ts";
import { ShopResolver } from "./shops/shop.resolver.ts";
import { Invitation } from "./staff/invitation.entity.ts";
import { KnownDevice } from "./staff/known-device.entity.ts";
import { LoginAttempts } from "./staff/login-attempts.entity.ts";
import { MemberResolver, ShopMembersResolver } from "./staff/member.resolver.ts";
import { Session } from "./staff/session.entity.ts";
import { SessionResolver } from "./staff/session.resolver.ts";
import { Membership, Staff } from "./staff/staff.entity.ts";
import { ViewerResolver } from "./staff/viewer.resolver.ts";
import { CountedHour } from "./webhooks/hourly-attempts.entity.ts";
import { LoggedAttempt } from "./webhooks/delivery-attempt.entity.ts";
import { DeliveryResolver, ShopDeliveriesResolver } from "./webhooks/delivery.resolver.ts";
import { EndpointHealthResolver, WebhookEndpointHealthResolver } from "./webhooks/endpoint-health.resolver.ts";
import { Delivery, Event, OutstandingDelivery } from "./webhooks/event.entity.ts";
import { WebhookActionsResolver } from "./webhooks/webhook-actions.resolver.ts";
import { WebhookEndpoint } from "./webhooks/webhook-endpoint.entity.ts";
import { WebhookResolver } from "./webhooks/webhook.resolver.ts";

/** Every table. */
export const entities = [
  Shop,
  Product,
  Variant,
  StockChange,
  Customer,
  StoreCreditEntry,
  Order,
  OrderItem,
  Payment,
  Refund,
  RefundPayment,
  RefundItem,
  NumberSequence,
  ApiKey,
  ServiceToken,
  AuditEntry,
  IdempotencyKey,
  Staff,
  Membership,
  Invitation,
  Session,
  KnownDevice,
  LoginAttempts,
  WebhookEndpoint,
  Event,
  Delivery,
  OutstandingDelivery,
  LoggedAttempt,
  CountedHour,
  RecordCount,
];

/** The whole GraphQL schema, for every face. `schema.graphql` holds it as text. */
export function createSchema(): GraphQLSchema {
  return buildSchemaSync({
    resolvers: [
      ShopResolver,
      ShopProductsResolver,
      ProductResolver,
      VariantResolver,
      StockResolver,
      ProductBulkResolver,
      ShopOrdersResolver,
      OrderResolver,
      OrderMutationsResolver,
      ShopCustomersResolver,
      CustomerResolver,
      StoreCreditResolver,
      ViewerResolver,
      SessionResolver,
      ShopMembersResolver,
      MemberResolver,
      WebhookResolver,
      WebhookActionsResolver,
      ShopDeliveriesResolver,
      DeliveryResolver,
      WebhookEndpointHealthResolver,
      EndpointHealthResolver,
      ShopApiKeysResolver,
      ApiKeyResolver,
      ServiceTokenResolver,
      ShopAuditResolver,
      AuditEntryResolver,
    ],
    authChecker,
    // Operations validate with their own schemas, which every face shares.
    validate: false,
  });
}
