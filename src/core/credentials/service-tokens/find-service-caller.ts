import { sql, type Kysely, type SqlBool } from "kysely";
import { prepared } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import type { Caller } from "../../model/permissions.ts";
import { selectShop } from "../../model/shops/current-shop.ts";
import { CREDENTIAL_IS_ACTIVE } from "../../model/credentials/credential.ts";
import { digestSecret } from "../secret.ts";

/** Finds the service of a token. Undefined if the token is unknown, revoked or expired. */
export async function findServiceCaller(
  database: Kysely<Database>,
  secret: string,
): Promise<{ caller: Caller; shopId: string } | undefined> {
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
  return { caller: { kind: "service", id: tokenId, name: tokenName, memberships }, shopId: shop.id };
}
