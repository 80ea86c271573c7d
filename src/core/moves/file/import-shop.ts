import type { Readable } from "node:stream";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Encryption } from "../../../platform/encryption.ts";
import { OperatorError } from "../../../platform/errors.ts";
import type { Actor } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { kysely } from "../../queries/database.ts";
import { restateOverpaid } from "../../orders/restate-overpaid.sql.ts";
import { openShop } from "../close-shop.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { listAppliedMigrations, liftTimeouts, type Header } from "../moved-rows.sql.ts";
import { rewriteSearchWords } from "./rewrite-search-words.ts";
import { RowWriter } from "../row-writer.ts";
import { ofLaterRelease, openShopFile } from "./shop-file.ts";

interface ImportOptions {
  source: Readable;
  /** Takes a file without a seal of one of the keys. */
  isTrusted?: boolean | undefined;
  onProgress?: (message: string) => void;
}

/**
 * Imports a shop from `exportShop` with its identifiers and secrets, and opens it, all or nothing. Returns its id.
 *
 * @throws OperatorError when the file is incomplete, altered or of a later release, the shop exists already, an
 *   encryption key cannot decrypt a secret, or another account has the address of an imported one
 */
export async function importShop(
  { em, encryption }: { em: EntityManager; encryption: Encryption },
  actor: Actor,
  { source, isTrusted = false, onProgress = () => undefined }: ImportOptions,
): Promise<string> {
  const { header, rows } = await openShopFile(source, encryption, isTrusted);
  const { shopId, exportedAt } = header;
  // oxlint-disable-next-line no-restricted-properties -- The file is read once.
  await em.transactional(async (transaction) => {
    await liftTimeouts(kysely(transaction));
    await requireRoom(transaction, shopId);
    const isOlder = await compareSchema(transaction, header);
    const writer = await RowWriter.open(kysely(transaction), { header, isOlder, encryption, onProgress });
    for await (const row of rows) await writer.add(row);
    await writer.end();
    await rewriteSearchWords(transaction, shopId);
    if (isOlder) await restateOverpaid(kysely(transaction), shopId);
    const entry = { action: AuditAction.SHOP_IMPORTED, details: { exportedAt } };
    await openShop({ em: transaction, shop: { id: shopId }, actor }, entry);
  });
  return shopId;
}

/** Returns true when an earlier release wrote the file. @throws OperatorError when a later one did */
async function compareSchema(em: EntityManager, { migrations }: Header): Promise<boolean> {
  const own = await listAppliedMigrations(kysely(em));
  const later = migrations.find((name) => !own.includes(name));
  if (later !== undefined) throw ofLaterRelease(`its schema has ${later}`);
  return migrations.length < own.length;
}

async function requireRoom(em: EntityManager, shopId: string): Promise<void> {
  if ((await em.count(Shop, { id: shopId })) > 0) throw new OperatorError(`The shop ${shopId} already exists here`);
}
