import "reflect-metadata";
import type { GraphQLSchema } from "graphql";
import { buildSchemaSync } from "type-graphql";
import { ApiKey } from "../credentials/api-keys/api-key.entity.ts";
import { ApiKeyResolver, ShopApiKeysResolver } from "../credentials/api-keys/api-key.resolver.ts";
import { AuditEntry } from "../audit/audit-entry.entity.ts";
import { AuditEntryResolver, ShopAuditResolver } from "../audit/audit.resolver.ts";
import { ServiceToken } from "../credentials/service-tokens/service-token.entity.ts";
import { ServiceTokenResolver } from "../credentials/service-tokens/service-token.resolver.ts";
import { Customer, StoreCreditEntry } from "../customers/customer.entity.ts";
import { CustomerResolver, ShopCustomersResolver } from "../customers/customer.resolver.ts";
import { StoreCreditResolver } from "../customers/store-credit/store-credit.resolver.ts";
import { IdempotencyKey } from "../idempotency/idempotency-key.entity.ts";
import { NumberSequence } from "../orders/number-sequence.entity.ts";
import { OrderItem } from "../orders/order-item.entity.ts";
import { OrderMutationsResolver } from "../orders/order-mutations.resolver.ts";
import { Order } from "../orders/order.entity.ts";
import { OrderResolver, ShopOrdersResolver } from "../orders/order.resolver.ts";
import { Payment, Refund, RefundItem, RefundPayment } from "../orders/payments/payment.entity.ts";
import { authChecker } from "../access/permissions.ts";
import { Product, Variant } from "../products/product.entity.ts";
import { ProductBulkResolver } from "../products/product-bulk.resolver.ts";
import { ProductResolver, ShopProductsResolver } from "../products/product.resolver.ts";
import { StockChange } from "../stock/stock-change.entity.ts";
import { StockResolver } from "../stock/stock.resolver.ts";
import { VariantResolver } from "../products/variants/variant.resolver.ts";
import { RecordCount } from "../queries/record-count.entity.ts";
import { Shop } from "../shops/shop.entity.ts";
import { ShopResolver } from "../shops/shop.resolver.ts";
import { Invitation } from "../staff/members/invitation.entity.ts";
import { KnownDevice } from "../staff/sessions/known-device.entity.ts";
import { LoginAttempts } from "../staff/sessions/login-attempts.entity.ts";
import { MemberResolver, ShopMembersResolver } from "../staff/members/member.resolver.ts";
import { Session } from "../staff/sessions/session.entity.ts";
import { SessionResolver } from "../staff/sessions/session.resolver.ts";
import { Membership, Staff } from "../staff/accounts/staff.entity.ts";
import { ViewerResolver } from "../staff/accounts/viewer.resolver.ts";
import { CountedHour } from "../webhooks/health/hourly-attempts.entity.ts";
import { LoggedAttempt } from "../webhooks/deliveries/delivery-attempt.entity.ts";
import { DeliveryResolver, ShopDeliveriesResolver } from "../webhooks/deliveries/delivery.resolver.ts";
import { EndpointHealthResolver, WebhookEndpointHealthResolver } from "../webhooks/health/endpoint-health.resolver.ts";
import { Delivery, Event, OutstandingDelivery } from "../webhooks/events/event.entity.ts";
import { WebhookActionsResolver } from "../webhooks/deliveries/webhook-actions.resolver.ts";
import { WebhookEndpoint } from "../webhooks/endpoints/webhook-endpoint.entity.ts";
import { WebhookResolver } from "../webhooks/endpoints/webhook.resolver.ts";

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

/** The whole GraphQL schema, for REST too. `schema.graphql` holds it as text. */
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
    // Operations validate with their own schemas, which both APIs share.
    validate: false,
  });
}
