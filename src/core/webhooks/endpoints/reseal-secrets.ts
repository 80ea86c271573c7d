import { setTimeout as wait } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Operation, ShopKey } from "../../access/operation.ts";
import { keyNameOf, type Encryption } from "../../../platform/encryption.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import { openSealed } from "../../../platform/open-sealed.ts";
import { requireShop } from "../../shops/require-shop.ts";
import { headersOwner } from "./endpoint-headers.ts";
import { secretOwner } from "./signing-secrets.ts";

/** The pause before rows that others hold are tried again. Milliseconds. */
const RETRY = 50;

/** Counts of what was encrypted anew, the headers of an endpoint as one, and of expired secrets that were cleared. */
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

const IS_EXPIRED = "sealed_old_secret is not null and old_secret_expires_at <= now()";
/** True of a row that holds something sealed by another key than `$2`, or an expired secret. */
const IS_STALE = `(split_part(sealed_secret, '.', 1) <> $2 or split_part(sealed_old_secret, '.', 1) <> $2
  or split_part(sealed_headers, '.', 1) <> $2 or ${IS_EXPIRED})`;

/**
 * Encrypts all signing secrets and headers under the first key, a shop at a time, and clears secrets that have expired.
 * It may run beside anything: rows are locked while they change, and those that others hold are waited for without a
 * lock.
 *
 * @throws OperatorError that names the endpoint whose secret does not open; what was done before stays
 */
export async function resealSecrets(
  services: { em: EntityManager; encryption: Encryption },
  author: Author,
): Promise<Resealed> {
  const { em, encryption } = services;
  const total = { resealed: 0, cleared: 0 };
  const next = (from: string) => findStaleShop(em, from, encryption);
  for (let shopId = await next(""); shopId !== undefined; shopId = await next(shopId)) {
    const { resealed, cleared } = await resealShop(services, shopId, author);
    if (resealed + cleared === 0) await wait(RETRY);
    total.resealed += resealed;
    total.cleared += cleared;
  }
  return total;
}

/** The first shop from this one on that has something to do. */
async function findStaleShop(em: EntityManager, from: string, { keyNames }: Encryption): Promise<string | undefined> {
  const [row] = await runStatement<{ shopId: string }>(
    kysely(em),
    `select shop_id as "shopId" from webhook_endpoints where shop_id >= $1 and ${IS_STALE} order by shop_id limit 1`,
    [from, keyNames[0]],
  );
  return row?.shopId;
}

async function resealShop(
  { em, encryption }: { em: EntityManager; encryption: Encryption },
  shopId: string,
  author: Author,
): Promise<Resealed> {
  return em.transactional(async (transaction) => {
    const database = kysely(transaction);
    const rows = await runStatement<SealedRow>(
      database,
      `select id, sealed_secret as sealed, sealed_old_secret as old, sealed_headers as headers,
         coalesce(${IS_EXPIRED}, false) as "isExpired"
       from webhook_endpoints where shop_id = $1 and ${IS_STALE} for no key update skip locked`,
      [shopId, encryption.keyNames[0]],
    );
    const changes = rows.map((row) => resealRow(row, shopId, encryption));
    const columns = (["id", "sealed", "old", "headers"] as const).map((name) => changes.map((change) => change[name]));
    await runStatement(
      database,
      `update webhook_endpoints
       set sealed_secret = change.sealed, sealed_old_secret = change.old, sealed_headers = change.headers
       from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as change (id, sealed, old, headers)
       where shop_id = $1 and webhook_endpoints.id = change.id`,
      [shopId, ...columns],
    );
    const done = {
      resealed: changes.reduce((sum, { resealed }) => sum + resealed, 0),
      cleared: rows.filter(({ isExpired }) => isExpired).length,
    };
    // None when others hold all that is left.
    if (rows.length > 0) await audit({ em: transaction, shop: { id: shopId }, author }, done);
    return done;
  });
}

async function audit(operation: Operation<ShopKey>, { resealed, cleared }: Resealed): Promise<void> {
  const { id } = operation.shop;
  const { name } = await requireShop(operation.em, id);
  await recordAudit(operation, {
    action: AuditAction.WEBHOOK_SECRETS_RESEALED,
    target: { id, name },
    details: { resealed: String(resealed), cleared: String(cleared) },
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
