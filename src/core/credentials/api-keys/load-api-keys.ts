import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, runStatement } from "../../queries/database.ts";
import { fieldsOf, type FieldsKey } from "../../queries/row-key.ts";
import { apiKeys } from "../credential-kind.ts";
import { credentialColumns } from "../list-credentials.ts";
import type { ApiKey } from "../../model/credentials/api-key.entity.ts";

/** Loads API keys by their ids, ended ones included; null for an id that the shop does not have. All are of one shop. */
export async function loadApiKeys(em: EntityManager, keys: readonly FieldsKey[]): Promise<(ApiKey | null)[]> {
  const columns = credentialColumns(em, apiKeys, fieldsOf(keys));
  const rows = await runStatement<ApiKey>(
    kysely(em),
    `select ${columns} from api_keys where shop_id = $1 and id = any($2)`,
    [keys[0]!.shopId, keys.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return keys.map(({ id }) => byId.get(id) ?? null);
}
