import type { EntityManager } from "@mikro-orm/postgresql";
import { ArgsType } from "type-graphql";
import { sql, type SqlBool } from "kysely";
import { columnsOf, selectFields, type Select, type Shown } from "../queries/columns.ts";
import { finderOf } from "../queries/find-by-id.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";
import { argumentsOf, nullable } from "../model/fields.ts";
import { pageArguments, type Page } from "../model/page.ts";
import {
  CREDENTIAL_IS_ACTIVE,
  CREDENTIAL_STATUS,
  CredentialStatus,
  type Credential,
} from "../model/credentials/credential.ts";
import type { CredentialKind } from "./credential-kind.ts";

@ArgsType()
export class ListCredentialsArgs extends argumentsOf({
  ...pageArguments,
  status: nullable(CredentialStatus, "Only credentials with this status."),
}) {}

/** SQL: a time that sorts active credentials after all others. */
const ACTIVE_AND_AGE = `created_at + case when ${CREDENTIAL_IS_ACTIVE} then interval '1000 years' else interval '0' end`;

type Always = "shopId" | "id" | "createdBy";

/** A credential with the selected fields. */
export type ShownCredential<Kind extends Credential> = Shown<Kind, Always>;

export function selectCredential<Kind extends Credential>(
  em: EntityManager,
  { entity, others }: CredentialKind<Kind>,
  selection: { fields: ReadonlySet<string> },
): Select<Shown<Kind, Always>> {
  const columns = { ...columnsOf(em, entity), ...others, status: sql.raw<CredentialStatus>(CREDENTIAL_STATUS) };
  return selectFields<Kind, Always>(columns, selection, ["shopId", "id", "createdBy"]);
}

/** Finds a credential, also an expired or revoked one. Undefined when the shop has none with this id. */
export function findCredential<Kind extends Credential>(kind: CredentialKind<Kind>) {
  return finderOf(
    kind.table,
    (em, selection) => selectCredential(em, kind, selection) as Select<ShownCredential<Kind>>,
  );
}

/** Lists a shop's credentials of a kind: active ones first, then newest first. @throws AppError VALIDATION_FAILED */
export function listCredentials<Kind extends Credential>(
  em: EntityManager,
  kind: CredentialKind<Kind>,
  shopId: string,
  { status, ...page }: ListCredentialsArgs,
  selection: Selection,
): Promise<Page<ShownCredential<Kind>>> {
  return readPage(em, {
    ...page,
    shopId,
    table: kind.table,
    select: (_, items) => selectCredential(em, kind, items),
    selection,
    conditions: status == null ? [] : [sql<SqlBool>`${sql.raw(CREDENTIAL_STATUS)} = ${status}`],
    sort: "active",
    sortBy: sql.raw(ACTIVE_AND_AGE),
    total: "counted",
  });
}
