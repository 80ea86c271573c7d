import type { Kysely } from "kysely";
import { runStatement } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import type { Actor, Permission } from "../../model/permissions.ts";
import { shopColumns, type CurrentShop } from "../../model/shops/current-shop.ts";
import { CREDENTIAL_IS_ACTIVE } from "../../model/credentials/credential.ts";
import { digestSecret } from "../secret.ts";

/**
 * The service whose token this is; undefined when there is none, or it is revoked or has expired. SQL by hand,
 * because every request of a service asks for it.
 */
export async function findServiceActor(
  database: Kysely<Database>,
  secret: string,
): Promise<{ actor: Actor; shopId: string } | undefined> {
  const [row] = await runStatement<CurrentShop & { tokenId: string; tokenName: string; permissions: Permission[] }>(
    database,
    `select token.id as "tokenId", token.name as "tokenName", permissions, ${shopColumns}
    from service_tokens token join shops on shops.id = shop_id
    where digest = $1 and ${CREDENTIAL_IS_ACTIVE}`,
    [digestSecret(secret)],
  );
  if (!row) return undefined;
  const { tokenId, tokenName, permissions, ...shop } = row;
  const memberships = new Map([[shop.id, { shop, permissions: new Set(permissions) }]]);
  return { actor: { kind: "service", id: tokenId, name: tokenName, memberships }, shopId: shop.id };
}
