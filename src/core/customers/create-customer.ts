import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { newId } from "../model/ids.ts";
import { databaseTime } from "../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { parseInput } from "../validation/input.ts";
import type { Shop } from "../model/shops/shop.entity.ts";
import { recordEvent } from "../webhooks/events/record-event.sql.ts";
import { customerFields, refuseTakenEmail } from "./customer-input.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { customerSearchText } from "./search-text.ts";

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
 * @throws AppError VALIDATION_FAILED, also when the e-mail address is taken; CONFLICT while the same idempotency key
 *   is in use
 */
export async function createCustomer(
  em: EntityManager,
  shop: Shop,
  request: z.input<typeof createCustomerSchema>,
  claim?: IdempotencyClaim,
): Promise<string> {
  const input = parseInput(createCustomerSchema, request);
  const once = { shopId: shop.id, claim, operation: "createCustomer", input };
  return refuseTakenEmail(() =>
    em.transactional((transaction) =>
      runIdempotent(transaction, once, () => insertCustomer(transaction, shop.id, input)),
    ),
  );
}

async function insertCustomer(
  em: EntityManager,
  shopId: string,
  input: z.output<typeof createCustomerSchema>,
): Promise<string> {
  const id = newId("cus");
  const now = await databaseTime(em);
  const searchText = customerSearchText(input);
  const version = 1;
  await em.insert(Customer, { ...input, shopId, id, searchText, version, createdAt: now, updatedAt: now });
  await recordEvent(em, { shopId, topic: "customer.created", data: { customerId: id, version }, createdAt: now });
  return id;
}
