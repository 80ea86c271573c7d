import type { EntityManager } from "@mikro-orm/postgresql";
import { ArgsType, Field } from "type-graphql";
import { columnsOf, selectList } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { conditionsOf, readPage, type PageFields } from "../queries/list-query.ts";
import { PageArgs, type Page } from "../model/page.ts";
import { CREDENTIAL_STATUS, CredentialStatus, type Credential } from "../model/credentials/credential.ts";
import type { CredentialKind } from "./credential-kind.ts";

@ArgsType()
export class ListCredentialsArgs extends PageArgs {
  @Field(() => CredentialStatus, { nullable: true, description: "Only credentials with this status." })
  status?: CredentialStatus | null;
}

/** The select list of a credential. */
export function credentialColumns<Kind extends Credential>(
  em: EntityManager,
  { entity }: CredentialKind<Kind>,
  fields: ReadonlySet<string>,
): string {
  const columns = { ...columnsOf(em, entity), status: CREDENTIAL_STATUS };
  return selectList(columns, fields, ["shopId", "id", "createdBy"]);
}

/** A shop's credentials of a kind, newest first, those that ended included. @throws AppError VALIDATION_FAILED */
export function listCredentials<Kind extends Credential>(
  em: EntityManager,
  kind: CredentialKind<Kind>,
  shopId: string,
  { status, ...page }: ListCredentialsArgs,
  fields: PageFields,
): Promise<Page<Kind>> {
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: kind.table,
    columns: credentialColumns(em, kind, fields.item),
    fields: fields.page,
    conditions: conditionsOf([[`${CREDENTIAL_STATUS} = ?`, status]]),
    total: "counted",
  });
}
