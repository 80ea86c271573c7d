import { addressKey } from "../../../platform/mail/email-address.ts";
import { createCustomer, updateCustomer } from "../../customers/customers.ts";
import { Customer } from "../../model/customers/customer.entity.ts";
import type { ImportedCustomer } from "../../model/imports/imported.ts";
import { kysely } from "../../queries/database.ts";
import { anyOf } from "../../queries/columns.ts";
import { addMetadata } from "../../queries/metadata.sql.ts";
import { changedFields, clearedFields, type Importer } from "./importer.ts";

/** Imports customers. They are found by their email address. */
export const customerImporter: Importer<ImportedCustomer, Customer> = {
  findExisting: async ({ em, shop }, inputs) => {
    const emails = inputs.map(({ email }) => addressKey(email));
    const rows = await kysely(em)
      .selectFrom("customers")
      .select("id")
      .where("shop_id", "=", shop.id)
      .where(({ fn }) => fn<string>("lower", ["email"]), "=", anyOf(emails))
      .execute();
    const customers = await em.find(
      Customer,
      { shopId: shop.id, id: rows.map(({ id }) => id) },
      { disableIdentityMap: true },
    );
    await addMetadata(em, customers);
    const byEmail = Map.groupBy(customers, ({ email }) => addressKey(email));
    return emails.map((email) => ({ existing: byEmail.get(email) ?? [], newKeys: [] }));
  },
  claimsOf: ({ email }) => [{ name: addressKey(email), path: "email", value: email }],
  findIssues: () => [],
  findCleared: (input, customer) => clearedFields(customer, input),
  create: async (operation, input) => void (await createCustomer(operation, input)),
  update: async (operation, customer, { email: _, ...fields }) => {
    const changes = changedFields(customer, fields);
    if (Object.keys(changes).length === 0) return false;
    await updateCustomer(operation, customer.id, changes);
    return true;
  },
};
