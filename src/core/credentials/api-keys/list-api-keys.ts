import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../../queries/columns.ts";
import { kysely } from "../../queries/database.ts";
import type { Page, PageRequest } from "../../queries/pagination.ts";
import { conditionsOf, readPage, type PageFields } from "../../queries/list-query.ts";
import { CREDENTIAL_STATUS, type CredentialStatus } from "../credential.ts";
import { ApiKey } from "./api-key.entity.ts";

export interface ListApiKeysFilter extends PageRequest {
  status?: CredentialStatus | null;
}

/** A shop's API keys, newest first, those that ended included. @throws AppError VALIDATION_FAILED */
export function listApiKeys(
  em: EntityManager,
  shopId: string,
  { status, ...page }: ListApiKeysFilter,
  fields: PageFields,
): Promise<Page<ApiKey>> {
  const columns = { ...columnsOf(em, ApiKey), status: CREDENTIAL_STATUS };
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "api_keys",
    columns: selectList(columns, fields.item, ["shopId", "id", "createdBy"]),
    fields: fields.page,
    conditions: conditionsOf([[`${CREDENTIAL_STATUS} = ?`, status]]),
    total: "counted",
  });
}
