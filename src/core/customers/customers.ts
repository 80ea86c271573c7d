import { InputType } from "type-graphql";
import type { z } from "zod";
import { inTransaction, type Operation } from "../access/operation.ts";
import { newId, isId } from "../model/ids.ts";
import { databaseTime } from "../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { parseInput } from "../validation/input.ts";
import { recordEvent } from "../webhooks/events/record-event.sql.ts";
import { Customer, customerFields } from "../model/customers/customer.entity.ts";
import { customerSearchWords } from "./search-words.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { assignChanged, checkVersion } from "../validation/changes.ts";
import { UniqueConstraintViolationException, type EntityManager } from "@mikro-orm/postgresql";
import { invalidInput, AppError } from "../model/errors.ts";
import { metadataField, newMetadata } from "../model/metadata.entity.ts";
import { kysely } from "../queries/database.ts";
import { changeMetadata, refuseTakenMetadata, writeMetadata } from "../queries/metadata.sql.ts";
import { changesSchema, newRecordSchema, newRecordOf, changesOf } from "../model/editable.ts";

@InputType({ description: "A new customer." })
export class CreateCustomerInput extends newRecordOf({ ...customerFields, ...newMetadata }) {}

@InputType({ description: "Changes to a customer. Omitted fields are left unchanged." })
export class UpdateCustomerInput extends changesOf({ ...customerFields, ...metadataField }) {}

const createCustomerSchema = newRecordSchema({ ...customerFields, ...newMetadata });
const updateCustomerSchema = changesSchema({ ...customerFields, ...metadataField });

/**
 * Creates a customer and records `customer.created`, in one transaction. Returns the customer's id.
 *
 * @throws AppError VALIDATION_FAILED, also when the email address is taken; CONFLICT while the same idempotency key
 *   is in use
 */
export async function createCustomer(
  operation: Operation,
  request: CreateCustomerInput,
  claim?: IdempotencyClaim,
): Promise<string> {
  const input = parseInput(createCustomerSchema, request);
  const once = { shopId: operation.shop.id, claim, operation: "createCustomer", input };
  return refuseTakenEmail(() =>
    inTransaction(operation, (inside) => runIdempotent(inside.em, once, () => insertCustomer(inside, input))),
  );
}

async function insertCustomer(inside: Operation, input: z.output<typeof createCustomerSchema>): Promise<string> {
  const { em, shop } = inside;
  const id = newId("cus");
  const shopId = shop.id;
  const { metadata, uniqueMetadata, ...fields } = input;
  await refuseTakenMetadata(em, { shopId, id }, { metadata, uniqueMetadata });
  const now = await databaseTime(em);
  const searchWords = customerSearchWords({ ...input, shopId });
  const version = 1;
  await em.insert(Customer, { ...fields, shopId, id, searchWords, version, createdAt: now, updatedAt: now });
  await writeMetadata(em, shopId, { id, metadata });
  await recordEvent(inside, { topic: "customer.created", data: { customerId: id, version }, createdAt: now });
  return id;
}

/**
 * Updates the given fields of a customer. A change increments the version and records `customer.updated`.
 *
 * @throws AppError VALIDATION_FAILED, also when the email address is taken; NOT_FOUND; VERSION_CONFLICT; INVALID_STATE
 * when the customer was erased
 */
export async function updateCustomer(
  operation: Operation,
  id: string,
  request: UpdateCustomerInput,
  expectedVersion?: number | null,
): Promise<void> {
  const { metadata, ...input } = parseInput(updateCustomerSchema, request);
  await refuseTakenEmail(() =>
    inTransaction(operation, async (inside) => {
      const { em, shop } = inside;
      await lockCustomer(em, shop.id, id);
      const customer = await em.findOneOrFail(Customer, { shopId: shop.id, id });
      if (customer.erasedAt) {
        const hint = "Create a new customer for a person who comes back.";
        throw new AppError("INVALID_STATE", "The customer was erased: they cannot be updated", { hint });
      }
      checkVersion(customer, expectedVersion);
      const fields = [...assignChanged(customer, input).fields, ...(await changeMetadata(em, customer, metadata))];
      if (fields.length === 0) return;
      customer.searchWords = customerSearchWords(customer);
      customer.version += 1;
      customer.editedVersion = customer.version;
      customer.updatedAt = await databaseTime(em);
      await em.flush();
      const data = { customerId: id, version: customer.version };
      await recordEvent(inside, {
        topic: "customer.updated",
        data,
        changed: fields,
        createdAt: customer.updatedAt,
      });
      await recordAudit(inside, {
        action: AuditAction.CUSTOMER_UPDATED,
        // The log outlives the customer, so it contains no personal data.
        target: { id, name: id },
        details: { fields: fields.join(", ") },
        at: customer.updatedAt,
      });
    }),
  );
}

/** Runs the work. The unique index refuses an email address that is taken, also when two requests race for it. */
export async function refuseTakenEmail<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException) || !error.message.includes("customers_email")) {
      throw error;
    }
    throw invalidInput([{ path: "email", code: "taken", message: "Is already used by another customer" }]);
  }
}

/**
 * Locks a customer's row until the transaction ends. Later reads see what was committed while it waited for the lock.
 *
 * @param strength the weakest lock by default, with which orders can still refer to the row. `forUpdate` waits for
 *   uncommitted orders that refer to it
 * @throws AppError NOT_FOUND
 */
export async function lockCustomer(
  em: EntityManager,
  shopId: string,
  id: string,
  strength: "forNoKeyUpdate" | "forUpdate" = "forNoKeyUpdate",
): Promise<{ erasedAt: Date | null }> {
  const row = kysely(em)
    .selectFrom("customers")
    .select("erased_at as erasedAt")
    .where("shop_id", "=", shopId)
    .where("id", "=", id);
  const locked = isId(id) ? await row[strength]().executeTakeFirst() : undefined;
  if (!locked) throw new AppError("NOT_FOUND", "Customer not found");
  return locked;
}
