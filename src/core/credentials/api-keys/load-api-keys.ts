import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Kysely, type SqlBool } from "kysely";
import { matchByRequest, fieldsOf, idIn, type FieldsKey, type RowKey } from "../../queries/row-key.ts";
import { apiKeys } from "../credential-kind.ts";
import { selectCredential, type ShownCredential } from "../list-credentials.ts";
import type { ApiKey } from "../../model/credentials/api-key.entity.ts";
import type { Database } from "../../model/tables.ts";

/** Loads API keys of one shop by their ids, including expired and revoked ones. Null for an unknown id. */
export async function loadApiKeys(
  database: Kysely<Database>,
  keys: readonly FieldsKey[],
  em: EntityManager,
): Promise<(ShownCredential<ApiKey> | null)[]> {
  const rows = await database
    .selectFrom("api_keys")
    .select(selectCredential(em, apiKeys, { fields: fieldsOf(keys) }))
    .where("shop_id", "=", keys[0]!.shopId)
    .where("id", "=", idIn(keys))
    .execute();
  return matchByRequest(keys, rows);
}

/** Loads whether each key can be revoked, as the field says. All keys belong to one shop. */
export async function loadSafety(database: Kysely<Database>, keys: readonly RowKey[]): Promise<boolean[]> {
  const rows = await database
    .selectFrom("api_keys as key")
    .leftJoin("api_keys as successor", (join) =>
      join.onRef("successor.shop_id", "=", "key.shop_id").onRef("successor.id", "=", "key.successor_id"),
    )
    .select("key.id")
    .where("key.shop_id", "=", keys[0]!.shopId)
    .where("key.id", "=", idIn(keys))
    .where(sql<SqlBool>`coalesce(key.last_used_at, key.created_at) <
      greatest(now() - interval '28 days', case when successor.last_used_at is not null then successor.created_at end)`)
    .execute();
  const safe = new Set(rows.map(({ id }) => id));
  return keys.map(({ id }) => safe.has(id));
}

/** Loads the key that each key replaced, if any. All keys belong to one shop. */
export async function loadPredecessors(
  database: Kysely<Database>,
  keys: readonly RowKey[],
): Promise<(string | null)[]> {
  const rows = await database
    .selectFrom("api_keys")
    .select(["id", "successor_id"])
    .where("shop_id", "=", keys[0]!.shopId)
    .where("successor_id", "=", idIn(keys))
    .execute();
  const predecessors = new Map(rows.map((row) => [row.successor_id, row.id]));
  return keys.map(({ id }) => predecessors.get(id) ?? null);
}
