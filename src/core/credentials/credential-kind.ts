import type { EntityClass } from "@mikro-orm/postgresql";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { ApiKey } from "../model/credentials/api-key.entity.ts";
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
}

export const apiKeys: CredentialKind<ApiKey> = {
  entity: ApiKey,
  table: "api_keys",
  title: "API key",
  updated: AuditAction.API_KEY_UPDATED,
  revoked: AuditAction.API_KEY_REVOKED,
};

export const serviceTokens: CredentialKind<ServiceToken> = {
  entity: ServiceToken,
  table: "service_tokens",
  title: "Service token",
  updated: AuditAction.SERVICE_TOKEN_UPDATED,
  revoked: AuditAction.SERVICE_TOKEN_REVOKED,
};
