import type { SnakeCase } from "@mikro-orm/postgresql";
import type { ApiKey } from "./credentials/api-key.entity.ts";
import type { AuditEntry } from "./shops/audit-entry.entity.ts";
import type { ServiceToken } from "./credentials/service-token.entity.ts";
import type { HourlyRequests } from "./requests/hourly-requests.entity.ts";
import type { IdempotencyKey } from "./requests/idempotency-key.entity.ts";
import type { Customer, StoreCreditEntry } from "./customers/customer.entity.ts";
import type { Import, ImportChunk, StoredItem } from "./imports/import.entity.ts";
import type { MetadataEntry } from "./metadata.entity.ts";
import type { Notice } from "./notifications/notice.entity.ts";
import type { NumberSequence } from "./orders/number-sequence.entity.ts";
import type { OrderItem } from "./orders/order-item.entity.ts";
import type { Order } from "./orders/order.entity.ts";
import type { Payment, Refund, RefundItem, RefundPayment } from "./orders/payment.entity.ts";
import type { Product, Variant } from "./products/product.entity.ts";
import type { StockChange } from "./products/stock-change.entity.ts";
import type { ApiRequest } from "./requests/api-request.entity.ts";
import type { RecordCount } from "./shops/record-count.entity.ts";
import type { Shop } from "./shops/shop.entity.ts";
import type { Invitation } from "./staff/invitation.entity.ts";
import type { KnownDevice } from "./staff/known-device.entity.ts";
import type { LoginAttempts } from "./staff/login-attempts.entity.ts";
import type { RecoveryCode, SecondFactor } from "./staff/second-factor.entity.ts";
import type { Session } from "./staff/session.entity.ts";
import type { PasswordReset } from "./staff/password-reset.entity.ts";
import type { Membership, Staff } from "./staff/staff.entity.ts";
import type { CountedHour } from "./webhooks/hourly-attempts.entity.ts";
import type { LoggedAttempt } from "./webhooks/delivery-attempt.entity.ts";
import type { Delivery, DeliveryState, Event, OutstandingDelivery } from "./webhooks/event.entity.ts";
import type { DeletedWebhookEndpoint } from "./webhooks/deleted-endpoint.entity.ts";
import type { WebhookEndpoint } from "./webhooks/webhook-endpoint.entity.ts";

/** The columns of an entity's table: its values, and the ids of referenced rows. */
type Columns<Entity> = {
  [
    Name in keyof Entity & string as IsRow<Entity[Name]> extends true ? `${SnakeCase<Name>}_id` : SnakeCase<Name>
  ]: IsRow<Entity[Name]> extends true ? string | Extract<Entity[Name], null> : Entity[Name];
};

type IsRow<Value> = NonNullable<Value> extends { id: string } ? true : false;

/** The tables for Kysely, derived from the entities. A test compares those with the database. */
export interface Database {
  shops: Columns<Shop>;
  products: Columns<Product>;
  variants: Columns<Omit<Variant, "productId" | "metadata">>;
  stock_changes: Columns<StockChange>;
  orders: Columns<Order>;
  order_items: Columns<OrderItem>;
  payments: Columns<Payment>;
  refunds: Columns<Refund>;
  refund_payments: Columns<RefundPayment>;
  refund_items: Columns<RefundItem>;
  metadata: Columns<MetadataEntry>;
  number_sequences: Columns<NumberSequence>;
  customers: Columns<Customer>;
  store_credit_entries: Columns<StoreCreditEntry>;
  api_keys: Columns<Omit<ApiKey, "status">>;
  service_tokens: Columns<ServiceToken>;
  audit_entries: Columns<AuditEntry>;
  api_requests: Columns<ApiRequest>;
  hourly_requests: Columns<HourlyRequests>;
  staff: Columns<Staff>;
  second_factors: Columns<SecondFactor>;
  recovery_codes: Columns<RecoveryCode>;
  memberships: Columns<Membership>;
  sessions: Columns<Session>;
  invitations: Columns<Invitation>;
  password_resets: Columns<PasswordReset>;
  known_devices: Columns<KnownDevice>;
  login_attempts: Columns<LoginAttempts>;
  idempotency_keys: Columns<IdempotencyKey>;
  webhook_endpoints: Columns<WebhookEndpoint>;
  deleted_webhook_endpoints: Columns<DeletedWebhookEndpoint>;
  events: Columns<Event>;
  deliveries: Columns<Delivery>;
  outstanding_deliveries: Columns<OutstandingDelivery>;
  delivery_attempts: Columns<LoggedAttempt>;
  hourly_attempts: Columns<CountedHour>;
  notices: Columns<Notice>;
  delivery_states: Columns<DeliveryState>;
  imports: Columns<Omit<Import, "doneCount" | "secondsLeft">>;
  import_chunks: Columns<ImportChunk>;
  import_items: Columns<StoredItem>;
  record_counts: Columns<RecordCount>;
}

/** A table or view with the records of a list. */
export type ListedTable = {
  [Table in keyof Database]: Database[Table] extends { shop_id: string; id: string; created_at: Date } ? Table : never;
}[keyof Database];
