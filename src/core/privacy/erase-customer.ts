import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type ExpressionBuilder, type SqlBool } from "kysely";
import { InputType } from "type-graphql";
import { z } from "zod";
import { addressKey } from "../../platform/mail/email-address.ts";
import { Big, inCurrency } from "../../platform/money.ts";
import { describeMoneyLeft, mayRead } from "../access/actor.ts";
import { inTransaction, type Operation } from "../access/operation.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { AppError, invalidInput } from "../model/errors.ts";
import { field, inputOf, nullable } from "../model/fields.ts";
import { Permission } from "../model/permissions.ts";
import { DecimalScalar } from "../model/scalars.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import type { Database } from "../model/tables.ts";
import { lockOrder, saveOrder } from "../orders/changes/lock-order.ts";
import { anyOf, shopParameter } from "../queries/columns.ts";
import { databaseTime } from "../queries/database-time.ts";
import { kysely } from "../queries/database.ts";
import { deleteMetadata } from "../queries/metadata.sql.ts";
import { assignChanged } from "../validation/changes.ts";
import { parseInput } from "../validation/input.ts";
import { recordEvent } from "../webhooks/events/record-event.sql.ts";
import { lockCustomer } from "../customers/customers.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { storeCreditBalance } from "../customers/read-customers.ts";
import { customerSearchWords } from "../customers/search-words.ts";
import { changeStoreCredit } from "../customers/store-credit/change-store-credit.ts";

@InputType({ description: "What to erase with a customer." })
export class EraseCustomerInput extends inputOf({
  includeNotes: field(
    Boolean,
    "Whether to erase what people wrote about the customer elsewhere: the notes, the metadata and the reasons for cancellations and refunds of their orders, and the reasons in their store credit. Requires WRITE_ORDERS.",
    { defaultValue: false },
  ),
  forfeitStoreCredit: nullable(
    DecimalScalar,
    "The customer's whole store credit, which they lose. Required unless it is 0.",
  ),
}) {}

const eraseSchema = z.strictObject({
  includeNotes: z.boolean().default(false),
  forfeitStoreCredit: z.string().nullish(),
});

type Erasure = z.output<typeof eraseSchema>;

/** Reasons in the ledger, which requires one. */
const ERASED = "Erased";
const FORFEITED = "Forfeited when the customer was erased";
/** Orders in a transaction. */
const BATCH = 100;

/**
 * Replaces the personal data of a customer and records `customer.updated`. Their orders and store credit stay for the
 * books. Does nothing when they were erased, except to the notes.
 *
 * @throws AppError VALIDATION_FAILED when the store credit to forfeit is another; NOT_FOUND; FORBIDDEN; INVALID_STATE
 *   while the customer has store credit
 */
export async function eraseCustomer(
  operation: Operation,
  customerId: string,
  request: z.input<typeof eraseSchema>,
  claim?: IdempotencyClaim,
): Promise<void> {
  const input = parseInput(eraseSchema, request);
  if (input.includeNotes && !mayRead(operation.actor, Permission.WRITE_ORDERS)) {
    throw new AppError("FORBIDDEN", `Erasing notes of orders requires the permission ${Permission.WRITE_ORDERS}`);
  }
  const once = { shopId: operation.shop.id, claim, operation: "eraseCustomer", input: { customerId, ...input } };
  await inTransaction(operation, (inside) =>
    runIdempotent(inside.em, once, async () => {
      await replaceData(inside, customerId, input);
      return null;
    }),
  );
  // Later orders of the customer are refused, so that none is missed. A repeated request continues.
  if (!input.includeNotes) return;
  while ((await inTransaction(operation, (inside) => eraseNotes(inside, customerId))) === BATCH);
}

async function replaceData(inside: Operation, id: string, input: Erasure): Promise<void> {
  const { em, shop } = inside;
  const shopId = shop.id;
  const { erasedAt } = await lockCustomer(em, shopId, id, "forUpdate");
  const { balance } = await kysely(em)
    .selectNoFrom(storeCreditBalance(sql.val(shopId), sql.val(id)).as("balance"))
    .executeTakeFirstOrThrow();
  const left = new Big(balance);
  if (erasedAt && left.eq(0)) return;
  checkForfeit(inside, left, input.forfeitStoreCredit);
  const at = await databaseTime(em);
  if (left.gt(0)) {
    await changeStoreCredit(inside, { customerId: id, amount: left.neg().toFixed(), reason: FORFEITED, at });
  }
  const customer = await em.findOneOrFail(Customer, { shopId, id }, { disableIdentityMap: true });
  await eraseImported(em, shopId, customer.email);
  const fields = { email: `${id}@erased.invalid`, firstName: "Erased", lastName: "customer", phone: null };
  const { fields: replaced } = assignChanged(customer, { ...fields, note: null, erasedAt: erasedAt ?? at });
  const changed = [...replaced, ...(await deleteMetadata(em, { shopId, id }))];
  const { version } = await kysely(em)
    .updateTable("customers")
    .set({ email: fields.email, first_name: fields.firstName, last_name: fields.lastName, phone: null, note: null })
    .set({ search_words: sql`${customerSearchWords({ shopId, ...fields })}::tsvector` })
    .set({ version: sql`version + 1`, edited_version: sql`version + 1` })
    .set({ updated_at: sql`greatest(updated_at, ${at})`, erased_at: sql`coalesce(erased_at, ${at})` })
    .where("shop_id", "=", shopId)
    .where("id", "=", id)
    .returning("version")
    .executeTakeFirstOrThrow();
  const data = { customerId: id, version };
  await recordEvent(inside, { topic: "customer.updated", data, changed, createdAt: at });
  const details = { includeNotes: String(input.includeNotes), forfeitedStoreCredit: inCurrency(left, shop) };
  await recordAudit(inside, { action: AuditAction.CUSTOMER_ERASED, target: { id, name: id }, details, at });
}

/** Deletes the records of imported files with this email address. */
async function eraseImported(em: EntityManager, shopId: string, email: string): Promise<void> {
  await kysely(em)
    .deleteFrom("import_items")
    .where("shop_id", "=", shopId)
    // In a Turkish database, I would become ı.
    .where(sql`lower((input ->> 'email') collate "C")`, "=", addressKey(email))
    .execute();
}

function checkForfeit({ shop, actor }: Operation, left: Big, forfeited: string | null | undefined): void {
  const amountLeft = describeMoneyLeft(actor, Permission.READ_CUSTOMERS, left, shop);
  if (forfeited == null) {
    if (left.eq(0)) return;
    throw new AppError("INVALID_STATE", `The customer has store credit${amountLeft}`, {
      hint: "Give the same amount as forfeitStoreCredit, or spend it first.",
    });
  }
  // Text, because an operator may give no number.
  if (/^\d+(\.\d+)?$/.test(forfeited) && left.eq(forfeited)) return;
  const message = `Must be the customer's store credit${amountLeft}`;
  throw invalidInput([{ path: "forfeitStoreCredit", code: "invalid_value", message }]);
}

/** Erases what was written about the customer, in a batch of their orders. Returns the number of orders. */
async function eraseNotes(inside: Operation, customerId: string): Promise<number> {
  const { em, shop } = inside;
  const database = kysely(em);
  const reasons = (from: ExpressionBuilder<Database, "orders">) =>
    from
      .selectFrom("refunds")
      .select("refunds.id")
      .where("refunds.shop_id", "=", shopParameter)
      .whereRef("refunds.order_id", "=", "orders.id")
      .where("reason", "is not", null);
  const isFilled = sql<SqlBool>`(notes is not null or cancel_reason is not null
    or exists (select from metadata where shop_id = ${shopParameter} and record_id = orders.id))`;
  const orders = await database
    .selectFrom("orders")
    .select((eb) => ["id", eb.exists(reasons(eb)).as("hasReasons")])
    .where("shop_id", "=", shop.id)
    .where("customer_id", "=", customerId)
    .where((eb) => eb.or([isFilled, eb.exists(reasons(eb))]))
    .orderBy("id")
    .limit(BATCH)
    .execute();
  for (const { id, hasReasons } of orders) {
    const locked = await lockOrder(inside, id, null);
    Object.assign(locked.order, { notes: null, cancelReason: null });
    const details = { fields: "notes, cancelReason, refunds.reason, metadata" };
    const events = [{ topic: "order.updated" }] as const;
    const at = await databaseTime(em);
    const ofOrder = await deleteMetadata(em, { shopId: shop.id, id });
    const also = [...(hasReasons ? (["refunds"] as const) : []), ...ofOrder];
    await saveOrder(inside, locked, { events, also, action: AuditAction.ORDER_UPDATED, details, at });
  }
  await database
    .updateTable("refunds")
    .set({ reason: null })
    .where("shop_id", "=", shop.id)
    .where("order_id", "=", anyOf(orders.map(({ id }) => id)))
    .execute();
  await database
    .updateTable("store_credit_entries")
    .set({ reason: ERASED })
    .where("shop_id", "=", shop.id)
    .where("customer_id", "=", customerId)
    .where("reason", "not in", [ERASED, FORFEITED])
    .execute();
  return orders.length;
}
