import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { runStatement } from "../../queries/database.ts";
import { fieldsOf, type FieldsKey } from "../../queries/row-key.ts";
import { apiKeys } from "../credential-kind.ts";
import { credentialColumns } from "../list-credentials.ts";
import type { ApiKey } from "../../model/credentials/api-key.entity.ts";
import type { Database } from "../../model/tables.ts";

/** Loads API keys by their ids, ended ones included; null for an id that the shop does not have. All are of one shop. */
export async function loadApiKeys(
  database: Kysely<Database>,
  keys: readonly FieldsKey[],
  em: EntityManager,
): Promise<(ApiKey | null)[]> {
  const columns = credentialColumns(em, apiKeys, fieldsOf(keys));
  const rows = await runStatement<ApiKey>(
    database,
    `select ${columns} from api_keys where shop_id = $1 and id = any($2)`,
    [keys[0]!.shopId, keys.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return keys.map(({ id }) => byId.get(id) ?? null);
}
