import { z } from "zod";
import { inTransaction, type Operation } from "../access/operation.ts";
import { newId } from "../model/ids.ts";
import { databaseTime } from "../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { parseInput } from "../validation/input.ts";
import { recordEvent } from "../webhooks/events/record-event.sql.ts";
import { customerFields, refuseTakenEmail } from "./customer-input.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { customerSearchWords } from "./search-words.ts";

const createCustomerSchema = z.strictObject({
  email: customerFields.email,
  firstName: customerFields.firstName.default(""),
  lastName: customerFields.lastName.default(""),
  phone: customerFields.phone.default(null),
  note: customerFields.note.default(null),
});

/**
 * Creates a customer and records `customer.created`, in one transaction. Returns the customer's id.
 *
 * @throws AppError VALIDATION_FAILED, also when the email address is taken; CONFLICT while the same idempotency key
 *   is in use
 */
export async function createCustomer(
  operation: Operation,
  request: z.input<typeof createCustomerSchema>,
  claim?: IdempotencyClaim,
): Promise<string> {
  const input = parseInput(createCustomerSchema, request);
  const once = { shopId: operation.shop.id, claim, operation: "createCustomer", input };
  return refuseTakenEmail(() =>
    inTransaction(operation, (inside) => runIdempotent(inside.em, once, () => insertCustomer(inside, input))),
  );
}

async function insertCustomer({ em, shop }: Operation, input: z.output<typeof createCustomerSchema>): Promise<string> {
  const id = newId("cus");
  const now = await databaseTime(em);
  const shopId = shop.id;
  const searchWords = customerSearchWords({ ...input, shopId });
  const version = 1;
  await em.insert(Customer, { ...input, shopId, id, searchWords, version, createdAt: now, updatedAt: now });
  await recordEvent(em, { shopId, topic: "customer.created", data: { customerId: id, version }, createdAt: now });
  return id;
}
