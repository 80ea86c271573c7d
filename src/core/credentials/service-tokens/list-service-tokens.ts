import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../../queries/columns.ts";
import { kysely } from "../../queries/database.ts";
import type { Page, PageRequest } from "../../queries/pagination.ts";
import { conditionsOf, readPage, type PageFields } from "../../queries/list-query.ts";
import { CREDENTIAL_STATUS, type CredentialStatus } from "../credential.ts";
import { ServiceToken } from "./service-token.entity.ts";

export interface ListServiceTokensFilter extends PageRequest {
  status?: CredentialStatus | null;
}

/** A shop's service tokens, newest first, those that ended included. @throws AppError VALIDATION_FAILED */
export function listServiceTokens(
  em: EntityManager,
  shopId: string,
  { status, ...page }: ListServiceTokensFilter,
  fields: PageFields,
): Promise<Page<ServiceToken>> {
  const columns = { ...columnsOf(em, ServiceToken), status: CREDENTIAL_STATUS };
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "service_tokens",
    columns: selectList(columns, fields.item, ["shopId", "id", "createdBy"]),
    fields: fields.page,
    conditions: conditionsOf([[`${CREDENTIAL_STATUS} = ?`, status]]),
    total: "counted",
  });
}
