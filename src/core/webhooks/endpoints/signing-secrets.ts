import type { Encryption } from "../../../platform/encryption.ts";
import type { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";

/** The owner that a sealed signing secret is bound to: it does not open for another endpoint. */
export function secretOwner(endpoint: { shopId: string; id: string }): string {
  return `webhook-endpoint/${endpoint.shopId}/${endpoint.id}`;
}

/** The secrets that sign a delivery. */
export interface SigningSecrets {
  /** Keys the specification's header, which has room for one signature. */
  active: string;
  /** Each signs by Standard Webhooks; newest first. */
  valid: string[];
}

export type SealedSecrets = Pick<
  WebhookEndpoint,
  "shopId" | "id" | "sealedSecret" | "secretActiveAt" | "sealedOldSecret" | "oldSecretExpiresAt"
>;

/**
 * Until the new secret is active, the old one keys the specification's header; until the old one expires, both sign.
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
