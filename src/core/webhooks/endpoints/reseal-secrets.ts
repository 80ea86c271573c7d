import { setTimeout as wait } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { keyNameOf, type Encryption, openSealed } from "../../../platform/encryption.ts";
import type { Actor } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { kysely } from "../../queries/database.ts";
import { transactional } from "../../queries/transaction.ts";
import { requireShop } from "../../shops/shops.ts";
import { headersOwner } from "./endpoint-headers.ts";
import { secretOwner } from "./signing-secrets.ts";

/** The pause before locked rows are tried again. Milliseconds. */
const RETRY = 50;

/** The number of re-encrypted secrets, counting an endpoint's headers as one, and of cleared expired ones. */
export interface Resealed {
  resealed: number;
  cleared: number;
}

interface SealedRow {
  id: string;
  sealed: string;
  old: string | null;
  headers: string | null;
  isExpired: boolean;
}

const hasExpired = sql<boolean>`sealed_old_secret is not null and old_secret_expires_at <= now()`;

/** SQL: true for a row with an expired secret, or one encrypted with another key than the current one. */
function isStale({ keyNames: [key] }: Encryption) {
  return sql<SqlBool>`(split_part(sealed_secret, '.', 1) <> ${key} or split_part(sealed_old_secret, '.', 1) <> ${key}
    or split_part(sealed_headers, '.', 1) <> ${key} or ${hasExpired})`;
}

/**
 * Encrypts all signing secrets and headers with the first key, one shop at a time, and clears expired secrets. It may
 * run beside other work: rows are locked only while they change, and it waits without a lock for locked ones.
 *
 * @throws OperatorError that names the endpoint whose secret cannot be decrypted; earlier changes stay
 */
export async function resealSecrets(
  services: { em: EntityManager; encryption: Encryption },
  actor: Actor,
): Promise<Resealed> {
  const { em, encryption } = services;
  const total = { resealed: 0, cleared: 0 };
  const next = (from: string) => findStaleShop(em, from, encryption);
  for (let shopId = await next(""); shopId !== undefined; shopId = await next(shopId)) {
    const { resealed, cleared } = await resealShop(services, shopId, actor);
    if (resealed + cleared === 0) await wait(RETRY);
    total.resealed += resealed;
    total.cleared += cleared;
  }
  return total;
}

/** Finds the first shop, from this id on, with something to do. */
async function findStaleShop(em: EntityManager, from: string, encryption: Encryption): Promise<string | undefined> {
  const row = await kysely(em)
    .selectFrom("webhook_endpoints")
    .select("shop_id as shopId")
    .where("shop_id", ">=", from)
    .where(isStale(encryption))
    .orderBy("shop_id")
    .limit(1)
    .executeTakeFirst();
  return row?.shopId;
}

async function resealShop(
  { em, encryption }: { em: EntityManager; encryption: Encryption },
  shopId: string,
  actor: Actor,
): Promise<Resealed> {
  return transactional(em, async (transaction) => {
    const database = kysely(transaction);
    const rows: SealedRow[] = await database
      .selectFrom("webhook_endpoints")
      .select(["id", "sealed_secret as sealed", "sealed_old_secret as old", "sealed_headers as headers"])
      .select(sql<boolean>`coalesce(${hasExpired}, false)`.as("isExpired"))
      .where("shop_id", "=", shopId)
      .where(isStale(encryption))
      .forNoKeyUpdate()
      .skipLocked()
      .execute();
    const changes = rows.map((row) => resealRow(row, shopId, encryption));
    for (const { id, sealed, old, headers } of changes) {
      await database
        .updateTable("webhook_endpoints")
        .set({ sealed_secret: sealed, sealed_old_secret: old, sealed_headers: headers })
        .where("shop_id", "=", shopId)
        .where("id", "=", id)
        .execute();
    }
    const done = {
      resealed: changes.reduce((sum, { resealed }) => sum + resealed, 0),
      cleared: rows.filter(({ isExpired }) => isExpired).length,
    };
    // Empty when all remaining rows are locked.
    if (rows.length > 0) {
      const shop = await requireShop(transaction, shopId);
      const details = { resealed: String(done.resealed), cleared: String(done.cleared) };
      const action = AuditAction.WEBHOOK_SECRETS_RESEALED;
      await recordAudit({ em: transaction, shop, actor }, { action, target: shop, details });
    }
    return done;
  });
}

function resealRow(row: SealedRow, shopId: string, encryption: Encryption) {
  const endpoint = { shopId, id: row.id };
  let resealed = 0;
  const reseal = (sealed: string, owner: string) => {
    if (keyNameOf(sealed) === encryption.keyNames[0]) return sealed;
    resealed += 1;
    return encryption.seal(openSealed(encryption, sealed, owner), owner);
  };
  const sealed = reseal(row.sealed, secretOwner(endpoint));
  const old = row.old === null || row.isExpired ? null : reseal(row.old, secretOwner(endpoint));
  const headers = row.headers === null ? null : reseal(row.headers, headersOwner(endpoint));
  return { id: row.id, sealed, old, headers, resealed };
}
