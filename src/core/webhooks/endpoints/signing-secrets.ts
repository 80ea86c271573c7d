import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Encryption } from "../../../platform/encryption.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import type { CoreServices } from "../../context.ts";
import { overlapEnd, overlapHours } from "../../credentials/api-keys/api-keys.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { auditEndpoint, lockWebhookEndpoint } from "./read-webhook-endpoints.ts";

/** The owner to which an encrypted signing secret is bound: it cannot be decrypted for another endpoint. */
export function secretOwner(endpoint: { shopId: string; id: string }): string {
  return `webhook-endpoint/${endpoint.shopId}/${endpoint.id}`;
}

/** In the format of Standard Webhooks. */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
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

const rotateWebhookSecretSchema = z.strictObject({ overlapHours, activeAt: z.date().nullish() });

/**
 * Creates a new signing secret, which is shown only in the answer. During the overlap, deliveries are signed with the
 * old one too. Without an overlap, all earlier secrets stop working.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; INVALID_STATE for an overlap while an earlier one lasts, and for a pull
 *   endpoint
 */
export async function rotateWebhookSecret(
  operation: Operation<ShopKey>,
  { encryption }: Pick<CoreServices, "encryption">,
  id: string,
  request: z.input<typeof rotateWebhookSecretSchema>,
): Promise<string> {
  const input = parseInput(rotateWebhookSecretSchema, request);
  return inTransaction(operation, async (inside) => {
    const { em } = inside;
    const endpoint = await lockWebhookEndpoint(inside, id);
    if (endpoint.pullPaused !== null) throw new AppError("INVALID_STATE", "A pull endpoint has no signing secret");
    const now = await databaseTime(em);
    const hasOverlap = input.overlapHours > 0;
    if (hasOverlap && endpoint.oldSecretExpiresAt && endpoint.oldSecretExpiresAt > now) {
      const end = endpoint.oldSecretExpiresAt.toISOString();
      throw new AppError("INVALID_STATE", "The previous secret is still valid", {
        hint: `It expires at ${end}. To expire it and the current secret immediately, rotate with overlapHours 0.`,
      });
    }
    const oldSecretExpiresAt = overlapEnd(now, input.overlapHours);
    const secretActiveAt = input.activeAt ?? now;
    if (secretActiveAt < now || secretActiveAt > oldSecretExpiresAt) {
      const message = "Must be between now and the end of the overlap";
      throw invalidInput([{ path: "activeAt", code: "invalid_value", message }]);
    }
    const secret = generateSigningSecret();
    Object.assign(endpoint, {
      sealedSecret: encryption.seal(secret, secretOwner(endpoint)),
      secretActiveAt,
      sealedOldSecret: hasOverlap ? endpoint.sealedSecret : null,
      oldSecretExpiresAt,
      updatedAt: now,
    });
    await auditEndpoint(inside, AuditAction.WEBHOOK_SECRET_ROTATED, endpoint, {
      activeAt: secretActiveAt.toISOString(),
      oldSecretExpiresAt: oldSecretExpiresAt.toISOString(),
    });
    return secret;
  });
}

/**
 * Uses the new secret for the specification's header from now on. Does nothing if it is already used.
 *
 * @throws AppError NOT_FOUND
 */
export async function activateWebhookSecret(operation: Operation<ShopKey>, id: string): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const endpoint = await lockWebhookEndpoint(inside, id);
    const now = await databaseTime(inside.em);
    if (!endpoint.secretActiveAt || endpoint.secretActiveAt <= now) return;
    Object.assign(endpoint, { secretActiveAt: now, updatedAt: now });
    await auditEndpoint(inside, AuditAction.WEBHOOK_SECRET_ACTIVATED, endpoint);
  });
}
