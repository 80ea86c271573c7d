import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
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
