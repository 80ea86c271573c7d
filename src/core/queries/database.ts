import type { EntityManager, SnakeCase } from "@mikro-orm/postgresql";
import { CompiledQuery, type Kysely } from "kysely";
import type { ApiKey } from "../model/credentials/api-key.entity.ts";
import type { AuditEntry } from "../model/shops/audit-entry.entity.ts";
import type { ServiceToken } from "../model/credentials/service-token.entity.ts";
import type { IdempotencyKey } from "../model/requests/idempotency-key.entity.ts";
import type { Customer, StoreCreditEntry } from "../model/customers/customer.entity.ts";
import type { Notice } from "../model/notifications/notice.entity.ts";
import type { NumberSequence } from "../model/orders/number-sequence.entity.ts";
import type { OrderItem } from "../model/orders/order-item.entity.ts";
import type { Order } from "../model/orders/order.entity.ts";
import type { Payment, Refund, RefundItem, RefundPayment } from "../model/orders/payment.entity.ts";
import type { Product, Variant } from "../model/products/product.entity.ts";
import type { StockChange } from "../model/products/stock-change.entity.ts";
import type { ApiRequest } from "../model/requests/api-request.entity.ts";
import type { RecordCount } from "../model/shops/record-count.entity.ts";
import type { Shop } from "../model/shops/shop.entity.ts";
import type { Invitation } from "../model/staff/invitation.entity.ts";
import type { KnownDevice } from "../model/staff/known-device.entity.ts";
import type { LoginAttempts } from "../model/staff/login-attempts.entity.ts";
import type { RecoveryCode, SecondFactor } from "../model/staff/second-factor.entity.ts";
import type { Session } from "../model/staff/session.entity.ts";
import type { PasswordReset } from "../model/staff/password-reset.entity.ts";
import type { Membership, Staff } from "../model/staff/staff.entity.ts";
import type { CountedHour } from "../model/webhooks/hourly-attempts.entity.ts";
import type { LoggedAttempt } from "../model/webhooks/delivery-attempt.entity.ts";
import type { Delivery, DeliveryState, Event, OutstandingDelivery } from "../model/webhooks/event.entity.ts";
import type { DeletedWebhookEndpoint } from "../model/webhooks/deleted-endpoint.entity.ts";
import type { WebhookEndpoint } from "../model/webhooks/webhook-endpoint.entity.ts";

/** The columns of an entity's table: its values, and the id of each row that it points to. */
type Columns<Entity> = {
  [
    Name in keyof Entity & string as IsRow<Entity[Name]> extends true ? `${SnakeCase<Name>}_id` : SnakeCase<Name>
  ]: IsRow<Entity[Name]> extends true ? string | Extract<Entity[Name], null> : Entity[Name];
};

type IsRow<Value> = NonNullable<Value> extends { id: string } ? true : false;

/** The tables as Kysely sees them, derived from the entities, which are compared with the database. */
export interface Database {
  shops: Columns<Shop>;
  products: Columns<Product>;
  variants: Columns<Variant>;
  stock_changes: Columns<StockChange>;
  orders: Columns<Order>;
  order_items: Columns<OrderItem>;
  payments: Columns<Payment>;
  refunds: Columns<Refund>;
  refund_payments: Columns<RefundPayment>;
  refund_items: Columns<RefundItem>;
  number_sequences: Columns<NumberSequence>;
  customers: Columns<Customer>;
  store_credit_entries: Columns<StoreCreditEntry>;
  api_keys: Columns<Omit<ApiKey, "status">>;
  service_tokens: Columns<ServiceToken>;
  audit_entries: Columns<AuditEntry>;
  api_requests: Columns<ApiRequest>;
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
  record_counts: Columns<RecordCount>;
}

/** Kysely inside the entity manager's transaction, or on the pool when it has none. */
export function kysely(em: EntityManager): Kysely<Database> {
  return em.getKysely<Database>();
}

/**
 * Runs a statement that is written by hand. The busiest ones are: building them anew costs as much as
 * sending them. Parameters are `$1` and so on.
 */
export async function runStatement<Row>(database: Kysely<Database>, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await database.executeQuery<Row>(CompiledQuery.raw(text, values) as CompiledQuery<Row>);
  return rows;
}
