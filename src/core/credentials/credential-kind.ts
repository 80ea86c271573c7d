import type { EntityClass } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { ApiKey } from "../model/credentials/api-key.entity.ts";
import { shopParameter, type Columns } from "../queries/columns.ts";
import type { Credential } from "../model/credentials/credential.ts";
import { ServiceToken } from "../model/credentials/service-token.entity.ts";

/** A kind of credential, with what shared operations need of it. */
export interface CredentialKind<Kind extends Credential> {
  entity: EntityClass<Kind>;
  table: "api_keys" | "service_tokens";
  /** The noun at the start of a message. */
  title: string;
  updated: AuditAction;
  revoked: AuditAction;
  /** SQL for fields without a column. */
  others: Columns<Kind>;
}

export const apiKeys: CredentialKind<ApiKey> = {
  entity: ApiKey,
  table: "api_keys",
  title: "API key",
  updated: AuditAction.API_KEY_UPDATED,
  revoked: AuditAction.API_KEY_REVOKED,
  others: {
    predecessorId: sql`(select id from api_keys as predecessor
      where shop_id = ${shopParameter} and successor_id = api_keys.id limit 1)`,
    isSafeToRevoke: sql`coalesce(last_used_at, created_at) < greatest(now() - interval '28 days',
      (select created_at from api_keys as successor
        where shop_id = ${shopParameter} and id = api_keys.successor_id and last_used_at is not null))`,
  },
};

export const serviceTokens: CredentialKind<ServiceToken> = {
  entity: ServiceToken,
  table: "service_tokens",
  title: "Service token",
  updated: AuditAction.SERVICE_TOKEN_UPDATED,
  revoked: AuditAction.SERVICE_TOKEN_REVOKED,
  others: {},
};
