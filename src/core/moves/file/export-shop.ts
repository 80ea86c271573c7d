import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Writable } from "node:stream";
import { IsolationLevel } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import type { Encryption } from "../../../platform/encryption.ts";
import { OperatorError } from "../../../platform/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { kysely } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import { isBeingDeleted, timeToSettle } from "../close-shop.ts";
import { lockShop } from "../../shops/shops.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { describeExport, readRows, liftTimeouts } from "../moved-rows.sql.ts";
import { listMovedTables, SANDBOX_STAYS } from "../moved-tables.ts";
import { writeShopFile } from "./shop-file.ts";

interface ExportOptions {
  destination: Writable;
  /** Seals the file. */
  encryption: Encryption;
  /** Ends the export. */
  signal?: AbortSignal;
  onProgress?: (message: string) => void;
}

/**
 * Exports all records of a closed shop at one moment, with its secrets, for `importShop`.
 *
 * @throws AppError SHOP_NOT_FOUND; OperatorError while the shop is open
 */
export async function exportShop(
  operation: Operation<ShopKey>,
  { destination, encryption, signal, onProgress = () => undefined }: ExportOptions,
): Promise<void> {
  const { em } = operation;
  const shopId = operation.shop.id;
  const closedAt = await announce(operation);
  await wait(await timeToSettle(em, closedAt, onProgress), undefined, { signal });
  // oxlint-disable-next-line no-restricted-properties -- The file is written once.
  await em.transactional(
    async (snapshot) => {
      const database = kysely(snapshot);
      await liftTimeouts(database);
      // The shop may have been opened in the meantime.
      if ((await snapshot.count(Shop, { id: shopId, closedAt })) === 0) throw isOpen(shopId);
      const header = await describeExport(snapshot, shopId);
      await pipeline(writeShopFile(header, readTables(database, shopId, onProgress), encryption), destination, {
        signal,
      });
    },
    { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
  );
}

/** Adds an audit entry, which the file includes. Returns when the shop was closed. */
async function announce(operation: Operation<ShopKey>): Promise<Date> {
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const { name, closedAt, deletionStartedAt, sandboxOf } = await lockShop(em, shop.id);
    if (sandboxOf !== null) throw new OperatorError(SANDBOX_STAYS);
    if (!closedAt) throw isOpen(shop.id);
    if (deletionStartedAt) throw isBeingDeleted(shop.id);
    const target = { id: shop.id, name };
    await recordAudit(inside, { action: AuditAction.SHOP_EXPORTED, target });
    return closedAt;
  });
}

function isOpen(shopId: string): OperatorError {
  return new OperatorError(
    `The shop is open: changes during the export would be lost. Run: merchant-api shops close --shop ${shopId}`,
  );
}

async function* readTables(
  database: Kysely<Database>,
  shopId: string,
  onProgress: (message: string) => void,
): AsyncGenerator<{ table: string; rows: string[] }> {
  for (const table of await listMovedTables(database)) {
    let count = 0;
    for await (const rows of readRows(database, table, shopId)) {
      count += rows.length;
      yield { table: table.name, rows };
    }
    onProgress(`${table.name}: ${count}`);
  }
}
