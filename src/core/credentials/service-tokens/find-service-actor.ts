import { sql, type Kysely, type SqlBool } from "kysely";
import { prepared } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import type { Actor } from "../../model/permissions.ts";
import { selectShop } from "../../model/shops/current-shop.ts";
import { CREDENTIAL_IS_ACTIVE } from "../../model/credentials/credential.ts";
import { digestSecret } from "../secret.ts";

/** The service whose token this is; undefined when there is none, or it is revoked or has expired. */
export async function findServiceActor(
  database: Kysely<Database>,
  secret: string,
): Promise<{ actor: Actor; shopId: string } | undefined> {
  const [row] = await prepared(database, "find service token", { digest: digestSecret(secret) }, (given) =>
    database
      .selectFrom("service_tokens as token")
      .innerJoin("shops", "shops.id", "token.shop_id")
      .select(["token.id as tokenId", "token.name as tokenName", "permissions", ...selectShop])
      .where("digest", "=", given.digest)
      .where(sql.raw<SqlBool>(CREDENTIAL_IS_ACTIVE)),
  );
  if (!row) return undefined;
  const { tokenId, tokenName, permissions, ...shop } = row;
  const memberships = new Map([[shop.id, { shop, permissions: new Set(permissions) }]]);
  return { actor: { kind: "service", id: tokenId, name: tokenName, memberships }, shopId: shop.id };
}
