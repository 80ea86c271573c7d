import { z } from "zod";
import { inTransaction, type Operation } from "../access/operation.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { assignChanged } from "../validation/assign-changed.ts";
import { databaseTime } from "../queries/database-time.ts";
import { parseInput } from "../validation/input.ts";
import { checkVersion } from "../validation/expected-version.ts";
import { recordEvent } from "../webhooks/events/record-event.sql.ts";
import { customerFields, refuseTakenEmail } from "./customer-input.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { lockCustomer } from "./lock-customer.ts";
import { customerSearchWords } from "./search-words.ts";

const updateCustomerSchema = z.strictObject(customerFields).partial();

/**
 * Updates the given fields of a customer. A change increments the version and records `customer.updated`.
 *
 * @throws AppError VALIDATION_FAILED, also when the email address is taken; NOT_FOUND; VERSION_CONFLICT
 */
export async function updateCustomer(
  operation: Operation,
  id: string,
  request: z.input<typeof updateCustomerSchema>,
  expectedVersion?: number | null,
): Promise<void> {
  const input = parseInput(updateCustomerSchema, request);
  await refuseTakenEmail(() =>
    inTransaction(operation, async (inside) => {
      const { em, shop } = inside;
      await lockCustomer(em, shop.id, id);
      const customer = await em.findOneOrFail(Customer, { shopId: shop.id, id });
      checkVersion(customer, expectedVersion);
      const fields = assignChanged(customer, input);
      if (fields.length === 0) return;
      customer.searchWords = customerSearchWords(customer);
      customer.version += 1;
      customer.editedVersion = customer.version;
      customer.updatedAt = await databaseTime(em);
      await em.flush();
      const data = { customerId: id, version: customer.version };
      await recordEvent(em, {
        shopId: shop.id,
        topic: "customer.updated",
        data,
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
