import type { Kysely } from "kysely";
import { isId } from "../../platform/ids.ts";
import { selectList } from "../columns.ts";
import { runStatement, type Database } from "../database.ts";
import type { Page, PageRequest } from "../pagination.ts";
import { conditionsOf, readPage, type PageFields } from "../read-page.ts";
import type { ApiKey, ApiKeyStatus } from "./api-key.entity.ts";

/** A key as it is shown. */
export interface ListedApiKey extends Omit<ApiKey, "digest"> {
  status: ApiKeyStatus;
}

export interface ListApiKeysFilter extends PageRequest {
  status?: ApiKeyStatus | null;
}

const status =
  "case when revoked_at is not null then 'REVOKED' when expires_at <= now() then 'EXPIRED' else 'ACTIVE' end";

const columns = {
  id: "id",
  name: "name",
  scopes: "scopes",
  status,
  firstCharacters: "first_characters",
  lastCharacters: "last_characters",
  createdBy: "created_by",
  createdAt: "created_at",
  expiresAt: "expires_at",
  lastUsedAt: "last_used_at",
  revokedAt: "revoked_at",
  successorId: "successor_id",
};

/** A shop's API keys, newest first, those that ended included. @throws AppError VALIDATION_FAILED */
export function listApiKeys(
  database: Kysely<Database>,
  shopId: string,
  { status: wanted, ...page }: ListApiKeysFilter,
  fields: PageFields,
): Promise<Page<ListedApiKey>> {
  return readPage(database, {
    ...page,
    shopId,
    table: "api_keys",
    columns: selectList(columns, fields.item, ["id"]),
    fields: fields.page,
    conditions: conditionsOf([[`${status} = ?`, wanted]]),
    total: "counted",
  });
}

/** The key, or undefined when this shop has none by the id. */
export async function findApiKey(
  database: Kysely<Database>,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<ListedApiKey | undefined> {
  if (!isId(id)) return undefined;
  const text = `select ${selectList(columns, fields, ["id"])} from api_keys where shop_id = $1 and id = $2`;
  const [key] = await runStatement<ListedApiKey>(database, text, [shopId, id]);
  return key;
}
