import { z } from "zod";
import { currencyDecimals } from "../../platform/currencies.ts";
import { emailAddress } from "../../platform/mail/email-address.ts";
import { rulesOf, type EditableField } from "../model/editable.ts";
import { customerFields } from "../model/customers/customer.entity.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../idempotency/run-idempotent.ts";
import { isId, type IdPrefix } from "../model/ids.ts";
import { NotificationKind } from "../model/notifications/notification-kind.ts";
import { Permission, SCOPES } from "../model/permissions.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { ErrorClass } from "../model/webhooks/error-class.ts";
import { fieldsOfTopic, topicFields, topicNames } from "../model/webhooks/topics.ts";
import { PULL_URL } from "../model/webhooks/webhook-endpoint.entity.ts";
import { createOrderSchema } from "../orders/create-order-schema.ts";
import { refundOrderSchema } from "../orders/payments/plan-refund.ts";
import { productFields, variantFields } from "../model/products/product.entity.ts";
import { MAX_NOTE_LENGTH } from "../model/products/stock-change.entity.ts";
import { familyOf } from "../../platform/networks.ts";
import { allowedAddresses } from "../model/network.ts";
import { isPasswordHash } from "../staff/accounts/password.ts";
import { text } from "../model/text.ts";
import { MAX_URL_LENGTH, targetUrl } from "../webhooks/endpoints/target-url.ts";
import type { MovedTable } from "./moved-rows.sql.ts";

export type Row = Record<string, unknown>;

const count = z.int32().min(0);
const signed = z.int32();
const name = text({ min: 1, max: 255 });
// The length of a variant's title: three option values of 100 characters, and what joins them.
const variantTitle = text({ max: 320 });

/** An identifier, with this prefix if it is known. */
const id = (prefix?: IdPrefix) =>
  z.string().refine((value) => isId(value) && (prefix === undefined || value.startsWith(`${prefix}_`)), {
    error: `Must be an identifier${prefix ? ` that starts with ${prefix}_` : ""}`,
  });

/** PostgreSQL's own format of a time in UTC, from 1970 to 9999. PostgreSQL checks the day. */
const TIME = /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{0,2}[1-9])?\+00:00$/;
const time = z.string().regex(TIME, { error: "Must be a time in UTC such as 2026-01-31T09:30:00.12+00:00" });

/** The values of each type of column. Money also depends on the currency. */
const byType: Record<string, z.ZodType> = {
  text: text({ max: 100_000 }),
  "text[]": z.array(text({ max: 255 })).max(100),
  integer: count,
  "integer[]": z.array(count).max(100),
  bigint: z.int().min(0),
  smallint: count,
  real: z.number().min(0),
  numeric: z.number(),
  boolean: z.boolean(),
  // All are SHA-256.
  bytea: z.string().regex(/^\\x[0-9a-f]{64}$/, { error: "Must be 32 bytes in hexadecimal" }),
  character: z.string().refine((code) => currencyDecimals.has(code), { error: "Must be an ISO 4217 currency code" }),
  "timestamp with time zone": time,
  json: z.array(z.tuple([text({ max: 20_000 }), text({ max: 20_000 })])),
  jsonb: z.record(z.string(), text({ max: 20_000 })),
  tsvector: z.string(),
  inet: z.string().refine((value) => familyOf(value) !== undefined, { error: "Must be an IP address" }),
};

/** The rules of the fields that requests can set, by table and column. */
const rulesOfTable = (table: string, fields: Record<string, EditableField>) =>
  Object.fromEntries(
    Object.entries(rulesOf(fields)).map(([field, rule]) => [
      `${table}.${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
      rule,
    ]),
  );

/** The values of columns that are narrower than their type, by the column's name, or by table and name. */
const byName: Record<string, z.ZodType> = {
  ...rulesOfTable("products", productFields),
  ...rulesOfTable("variants", variantFields),
  ...rulesOfTable("customers", customerFields),
  // Constraints check its prefix.
  id: id(),
  product_id: id("prod"),
  variant_id: id("var"),
  customer_id: id("cus"),
  order_id: id("ord"),
  item_id: id("itm"),
  payment_id: id("pay"),
  refund_id: id("ref"),
  api_key_id: id("key"),
  successor_id: id("key"),
  staff_id: id("stf"),
  endpoint_id: id("whe"),
  event_id: id("evt"),
  delivery_id: id("whd"),
  target_id: id(),
  actor_id: id(),
  caller_id: id(),
  created_by: id(),
  invited_by: id(),
  last_fetched_by: id(),
  name,
  email: emailAddress,
  "staff.password_hash": z.string().refine(isPasswordHash, {
    error: "Must be an argon2id hash with at most m=65536 and t=4, and p=1",
  }),
  title: variantTitle,
  variant_title: variantTitle,
  sku: variantFields.sku.rule,
  // Money, as a number.
  "variants.price": z.number(),
  "variants.inventory_quantity": signed,
  delta: signed,
  quantity_after: signed,
  version: count.min(1),
  edited_version: count.min(1),
  note: text({ max: MAX_NOTE_LENGTH }),
  notes: createOrderSchema.shape.notes,
  reason: refundOrderSchema.shape.reason,
  cancel_reason: refundOrderSchema.shape.reason,
  reference: name,
  order_number: text({ min: 1, max: 64 }),
  receipt_number: text({ min: 1, max: 64 }),
  tax_rate: z.number().min(0).max(100),
  default_tax_rate: z.number().min(0).max(100),
  scopes: z.array(z.enum(SCOPES)),
  allowed_addresses: allowedAddresses,
  permissions: z.array(z.enum(Permission)),
  muted_notifications: z.array(z.enum(NotificationKind)),
  kind: z.enum(NotificationKind),
  action: z.enum(AuditAction),
  topic: z.enum(topicNames),
  topics: z.array(z.enum(topicNames)).min(1),
  fields: z.array(z.enum(topicFields)),
  ignored_actor_ids: z.array(id()),
  changed: z.array(z.enum(topicNames.flatMap(fieldsOfTopic))),
  error_class: z.enum(ErrorClass),
  "webhook_endpoints.url": z.literal(PULL_URL).or(targetUrl(true)),
  "deleted_webhook_endpoints.url": z.url().max(MAX_URL_LENGTH),
  "idempotency_keys.key": text({ min: 1, max: MAX_IDEMPOTENCY_KEY_LENGTH }),
  // Of any shape. PostgreSQL bounds its depth.
  result: z.unknown(),
};

/** The schema of a table's row in the file of a shop. */
export function rowSchema({ name: table, columns, owner, ownerColumn }: MovedTable, shopId: string): z.ZodType<Row> {
  const schemas = columns.map(({ name: column, type, isNullable }): [column: string, schema: z.ZodType] => {
    if (owner === "shop" && column === ownerColumn) return [column, z.literal(shopId)];
    const schema = byName[`${table}.${column}`] ?? byName[column] ?? byType[type]!;
    return [column, isNullable ? schema.nullable() : schema];
  });
  return z.strictObject(Object.fromEntries(schemas));
}
