import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { operator } from "../../core/access/actor.ts";
import { exportList as write, type ExportedListName } from "../../core/exports/export-list.ts";
import { requireShop } from "../../core/shops/shops.ts";
import { runOnce } from "../open-app.ts";

/** Prints a shop's products, customers or orders as CSV. */
export function exportList(list: ExportedListName, { shop: shopId }: { shop: string }): Promise<void> {
  return runOnce(async ({ core: { orm } }, _config, signal) => {
    const shop = await requireShop(orm.em, shopId);
    const pieces = Readable.from(write({ em: orm.em, shop, actor: operator }, { list }));
    await pipeline(pieces, process.stdout, { signal, end: false });
  });
}
