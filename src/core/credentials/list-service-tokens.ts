import type { Kysely } from "kysely";
import { selectList } from "../columns.ts";
import { runStatement, type Database } from "../database.ts";
import type { Page, PageRequest } from "../pagination.ts";
import { readPage, type PageFields } from "../read-page.ts";
import type { ServiceToken } from "./service-token.entity.ts";

/** A token as it is shown. */
export type ListedServiceToken = Omit<ServiceToken, "digest">;

const columns = {
  id: "id",
  name: "name",
  permissions: "permissions",
  firstCharacters: "first_characters",
  lastCharacters: "last_characters",
  createdBy: "created_by",
  createdAt: "created_at",
  expiresAt: "expires_at",
  lastUsedAt: "last_used_at",
  revokedAt: "revoked_at",
};

/** A shop's service tokens, newest first, those that ended included. @throws AppError VALIDATION_FAILED */
export function listServiceTokens(
  database: Kysely<Database>,
  shopId: string,
  page: PageRequest,
  fields: PageFields,
): Promise<Page<ListedServiceToken>> {
  return readPage(database, {
    ...page,
    shopId,
    table: "service_tokens",
    columns: selectList(columns, fields.item, ["id"]),
    fields: fields.page,
    total: "counted",
  });
}

/** The token that was just created or revoked. */
export async function findServiceToken(
  database: Kysely<Database>,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<ListedServiceToken> {
  const text = `select ${selectList(columns, fields, ["id"])} from service_tokens where shop_id = $1 and id = $2`;
  const [token] = await runStatement<ListedServiceToken>(database, text, [shopId, id]);
  return token!;
}
