import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { matchByRequest, fieldsOf, idIn, type FieldsKey } from "../../queries/row-key.ts";
import { apiKeys } from "../credential-kind.ts";
import { selectCredential, type ShownCredential } from "../list-credentials.ts";
import type { ApiKey } from "../../model/credentials/api-key.entity.ts";
import type { Database } from "../../model/tables.ts";

/**
 * Loads API keys of one shop by their ids, including expired and revoked ones. Null for an unknown id. Not with logged
 * requests: these are on the shop's node of a cluster, and keys on the coordinator.
 */
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
