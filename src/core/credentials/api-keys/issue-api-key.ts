import type { EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../../model/ids.ts";
import { CredentialStatus } from "../../model/credentials/credential.ts";
import { generateApiKeySecret, fingerprintOf } from "../secret.ts";
import { ApiKey } from "../../model/credentials/api-key.entity.ts";

/** A new key, stored when the transaction commits. Its secret is not stored. */
export interface IssuedApiKey {
  apiKey: ApiKey;
  secret: string;
}

export function issueApiKey(
  em: EntityManager,
  fields: Pick<ApiKey, "shopId" | "name" | "scopes" | "createdBy" | "createdAt" | "expiresAt">,
): IssuedApiKey {
  const secret = generateApiKeySecret();
  const apiKey = em.create(ApiKey, {
    ...fields,
    ...fingerprintOf("sk_live_", secret),
    id: newId("key"),
    revokedAt: null,
    lastUsedAt: null,
    successorId: null,
    status: CredentialStatus.ACTIVE,
  });
  em.persist(apiKey);
  return { apiKey, secret };
}
