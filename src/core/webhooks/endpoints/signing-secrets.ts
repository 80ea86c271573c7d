import type { Encryption } from "../../../platform/encryption.ts";
import type { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";

/** The owner to which an encrypted signing secret is bound: it cannot be decrypted for another endpoint. */
export function secretOwner(endpoint: { shopId: string; id: string }): string {
  return `webhook-endpoint/${endpoint.shopId}/${endpoint.id}`;
}

/** The secrets that sign a delivery. */
export interface SigningSecrets {
  /** The key of the specification's header, which has a single signature. */
  active: string;
  /** The keys of Standard Webhooks signatures, newest first. */
  valid: string[];
}

export type SealedSecrets = Pick<
  WebhookEndpoint,
  "shopId" | "id" | "sealedSecret" | "secretActiveAt" | "sealedOldSecret" | "oldSecretExpiresAt"
>;

/**
 * Decrypts an endpoint's signing secrets. The old one is the key of the specification's header until the new one is
 * active, and both sign until the old one expires.
 */
export function openSigningSecrets(
  encryption: Pick<Encryption, "open">,
  endpoint: SealedSecrets,
  at: Date,
): SigningSecrets {
  const { sealedSecret, secretActiveAt, sealedOldSecret, oldSecretExpiresAt } = endpoint;
  const owner = secretOwner(endpoint);
  const newest = encryption.open(sealedSecret, owner);
  if (!sealedOldSecret || !oldSecretExpiresAt || oldSecretExpiresAt <= at) return { active: newest, valid: [newest] };
  const old = encryption.open(sealedOldSecret, owner);
  return { active: secretActiveAt && secretActiveAt > at ? old : newest, valid: [newest, old] };
}
