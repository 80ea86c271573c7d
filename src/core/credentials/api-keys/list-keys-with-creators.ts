import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { kysely } from "../../queries/database.ts";
import { CREDENTIAL_STATUS, type CredentialStatus } from "../../model/credentials/credential.ts";
import type { ApiKey } from "../../model/credentials/api-key.entity.ts";

type ShownKey = Pick<
  ApiKey,
  | "id"
  | "name"
  | "firstCharacters"
  | "lastCharacters"
  | "scopes"
  | "createdAt"
  | "lastUsedAt"
  | "expiresAt"
  | "revokedAt"
>;

export interface KeyWithCreator extends ShownKey {
  status: CredentialStatus;
  /** The email address of its creator. Null for an operator. */
  creator: string | null;
}

/** Lists all keys of a shop, newest first, including expired and revoked ones. For operators. */
export function listKeysWithCreators(em: EntityManager, shopId: string): Promise<KeyWithCreator[]> {
  return kysely(em)
    .selectFrom("api_keys as key")
    .leftJoin("staff", "staff.id", "key.created_by")
    .select([
      "key.id",
      "name",
      "first_characters as firstCharacters",
      "last_characters as lastCharacters",
      "scopes",
      "key.created_at as createdAt",
      "last_used_at as lastUsedAt",
      "expires_at as expiresAt",
      "revoked_at as revokedAt",
      "email as creator",
      sql.raw<CredentialStatus>(CREDENTIAL_STATUS).as("status"),
    ])
    .where("shop_id", "=", shopId)
    .orderBy("key.id", "desc")
    .execute();
}
