import "reflect-metadata";
import type { GraphQLSchema } from "graphql";
import { buildSchemaSync, type BuildSchemaOptions } from "type-graphql";
import { ApiKey } from "./model/credentials/api-key.entity.ts";
import { ActedRowResolver, CreatedRowResolver } from "./access/created-row.resolver.ts";
import { ApiKeyMutations, ApiKeyResolver, ShopApiKeysResolver } from "./credentials/api-keys/api-key.resolver.ts";
import { AuditEntry } from "./model/shops/audit-entry.entity.ts";
import { AuditEntryResolver, ShopAuditResolver } from "./audit/audit.resolver.ts";
import { ServiceToken } from "./model/credentials/service-token.entity.ts";
import {
  ShopServiceTokensResolver,
  ServiceTokenMutations,
} from "./credentials/service-tokens/service-token.resolver.ts";
import { Customer, StoreCreditEntry } from "./model/customers/customer.entity.ts";
import { PrivacyMutations } from "./privacy/privacy.resolver.ts";
import { CustomerResolver, CustomerMutations, ShopCustomersResolver } from "./customers/customer.resolver.ts";
import { CustomerStoreCreditResolver, StoreCreditMutations } from "./customers/store-credit/store-credit.resolver.ts";
import { IdempotencyKey } from "./model/requests/idempotency-key.entity.ts";
import { Import, ImportChunk, StoredItem } from "./model/imports/import.entity.ts";
import { ImportMutations, ImportResolver, ShopImportsResolver } from "./imports/import.resolver.ts";
import { MetadataEntry } from "./model/metadata.entity.ts";
import { Notice } from "./model/notifications/notice.entity.ts";
import { NotificationMutations } from "./staff/notification.resolver.ts";
import { NumberSequence } from "./model/orders/number-sequence.entity.ts";
import { OrderItem } from "./model/orders/order-item.entity.ts";
import { OrderMutations } from "./orders/order-mutations.resolver.ts";
import { Order } from "./model/orders/order.entity.ts";
import { OrderQuoteResolver, OrderResolver, ShopOrdersResolver, PaymentResolver } from "./orders/order.resolver.ts";
import { Payment, Refund, RefundItem, RefundPayment } from "./model/orders/payment.entity.ts";
import { authChecker } from "./access/auth-checker.ts";
import { Product, Variant } from "./model/products/product.entity.ts";
import { ProductBulkMutations } from "./products/product-bulk.resolver.ts";
import { ProductMutations, ShopProductsResolver } from "./products/product.resolver.ts";
import { StockChange } from "./model/products/stock-change.entity.ts";
import { ShopStockResolver, StockMutations } from "./stock/stock.resolver.ts";
import { VariantMutations } from "./products/variants/variant.resolver.ts";
import { ApiRequest } from "./model/requests/api-request.entity.ts";
import { HourlyRequests } from "./model/requests/hourly-requests.entity.ts";
import { ApiRequestResolver, ShopRequestsResolver } from "./requests/request.resolver.ts";
import { RecordCount } from "./model/shops/record-count.entity.ts";
import { Shop } from "./model/shops/shop.entity.ts";
import { SandboxMutations } from "./sandboxes/sandbox.resolver.ts";
import { ShopPlanResolver } from "./shops/plans/shop-plan.resolver.ts";
import { ShopResolver, ShopMutations } from "./shops/shop.resolver.ts";
import { Invitation } from "./model/staff/invitation.entity.ts";
import { KnownDevice } from "./model/staff/known-device.entity.ts";
import { LoginAttempts } from "./model/staff/login-attempts.entity.ts";
import { InvitationQueries, InvitationResolver } from "./staff/invitation.resolver.ts";
import { MemberResolver, MemberMutations, ShopMembersResolver } from "./staff/member.resolver.ts";
import { RecoveryCode, SecondFactor } from "./model/staff/second-factor.entity.ts";
import { SecondFactorMutations } from "./staff/second-factor.resolver.ts";
import { Session } from "./model/staff/session.entity.ts";
import { SessionResolver, SessionMutations } from "./staff/session.resolver.ts";
import { Membership, Staff } from "./model/staff/staff.entity.ts";
import { PasswordReset } from "./model/staff/password-reset.entity.ts";
import { ViewerResolver } from "./staff/viewer.resolver.ts";
import { CountedHour } from "./model/webhooks/hourly-attempts.entity.ts";
import { LoggedAttempt } from "./model/webhooks/delivery-attempt.entity.ts";
import { DeliveryResolver, ShopDeliveriesResolver, DeliveryMutations } from "./webhooks/delivery.resolver.ts";
import { Delivery, Event, OutstandingDelivery } from "./model/webhooks/event.entity.ts";
import { WebhookTopicResolver } from "./webhooks/webhook-topic.resolver.ts";
import { DeletedWebhookEndpoint } from "./model/webhooks/deleted-endpoint.entity.ts";
import { WebhookEndpoint } from "./model/webhooks/webhook-endpoint.entity.ts";
import { PullMutations } from "./webhooks/pull.resolver.ts";
import { WebhookEndpointMutations } from "./webhooks/webhook-endpoint-mutations.resolver.ts";
import {
  DeletedEndpointResolver,
  EndpointHealthResolver,
  PullStateResolver,
  ShopWebhooksResolver,
  WebhookEndpointResolver,
} from "./webhooks/webhook-endpoint.resolver.ts";

/** The entities of all tables. */
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
  MetadataEntry,
  NumberSequence,
  ApiKey,
  ServiceToken,
  AuditEntry,
  ApiRequest,
  HourlyRequests,
  IdempotencyKey,
  Staff,
  SecondFactor,
  RecoveryCode,
  Membership,
  Invitation,
  Session,
  PasswordReset,
  KnownDevice,
  LoginAttempts,
  WebhookEndpoint,
  DeletedWebhookEndpoint,
  Event,
  Delivery,
  OutstandingDelivery,
  LoggedAttempt,
  CountedHour,
  Notice,
  Import,
  ImportChunk,
  StoredItem,
  RecordCount,
];

const resolvers: BuildSchemaOptions["resolvers"] = [
  ShopResolver,
  ShopPlanResolver,
  ShopMutations,
  SandboxMutations,
  ShopProductsResolver,
  ProductMutations,
  VariantMutations,
  ShopStockResolver,
  StockMutations,
  ProductBulkMutations,
  ShopOrdersResolver,
  OrderQuoteResolver,
  OrderResolver,
  OrderMutations,
  PaymentResolver,
  ShopCustomersResolver,
  CustomerResolver,
  CustomerMutations,
  CustomerStoreCreditResolver,
  StoreCreditMutations,
  PrivacyMutations,
  ViewerResolver,
  SessionResolver,
  SessionMutations,
  SecondFactorMutations,
  NotificationMutations,
  ShopMembersResolver,
  MemberResolver,
  MemberMutations,
  InvitationQueries,
  InvitationResolver,
  WebhookTopicResolver,
  ShopWebhooksResolver,
  WebhookEndpointMutations,
  PullMutations,
  DeliveryMutations,
  ShopDeliveriesResolver,
  DeliveryResolver,
  WebhookEndpointResolver,
  EndpointHealthResolver,
  PullStateResolver,
  DeletedEndpointResolver,
  ShopApiKeysResolver,
  ActedRowResolver,
  CreatedRowResolver,
  ApiKeyResolver,
  ApiKeyMutations,
  ShopServiceTokensResolver,
  ServiceTokenMutations,
  ShopAuditResolver,
  AuditEntryResolver,
  ApiRequestResolver,
  ShopRequestsResolver,
  ShopImportsResolver,
  ImportResolver,
  ImportMutations,
];

/** The complete GraphQL schema, also for REST. `schema.graphql` has it as text. */
export function createSchema(): GraphQLSchema {
  return buildSchemaSync({
    resolvers,
    authChecker,
    // Operations validate with their own schemas, which both APIs share.
    validate: false,
  });
}
