import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { operator } from "../../core/access/actor.ts";
import { asOperator } from "../../core/access/operation.ts";
import { eraseCustomer as erase } from "../../core/privacy/erase-customer.ts";
import { exportCustomer as write } from "../../core/privacy/export-customer.sql.ts";
import { requireShop } from "../../core/shops/shops.ts";
import { printRow, type OutputOptions } from "../output.ts";
import { runOnce } from "../open-app.ts";

interface OneCustomer {
  shop: string;
  customer: string;
}

interface EraseOptions extends OneCustomer, OutputOptions {
  includeNotes?: true;
  /** Decimal. Not checked here: the operation does. */
  forfeitStoreCredit?: string;
}

/** Erases the personal data of a customer. */
export function eraseCustomer({ shop: shopId, customer, json, ...input }: EraseOptions): Promise<void> {
  return runOnce(async ({ core: { orm } }) => {
    const shop = await requireShop(orm.em, shopId);
    await erase({ em: orm.em, shop, actor: operator }, customer, input);
    printRow({ id: customer, erased: true, includeNotes: input.includeNotes ?? false }, { json });
  });
}

/** Prints everything about a customer as JSON. */
export function exportCustomer({ shop, customer }: OneCustomer): Promise<void> {
  return runOnce(async ({ core: { orm } }, _config, signal) => {
    await requireShop(orm.em, shop);
    const pieces = Readable.from(write(asOperator(orm.em, shop), customer));
    await pipeline(pieces, process.stdout, { signal, end: false });
  });
}
