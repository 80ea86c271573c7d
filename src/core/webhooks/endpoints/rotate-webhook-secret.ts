import { z } from "zod";
import { AppError, invalidInput } from "../../model/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { overlapEnd, overlapHours } from "../../credentials/api-keys/overlap.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { generateSigningSecret, type WebhookServices } from "./create-webhook-endpoint.ts";
import { lockWebhookEndpoint } from "./lock-webhook-endpoint.ts";
import { secretOwner } from "./signing-secrets.ts";
import { withoutQuery } from "./target-url.ts";

const rotateWebhookSecretSchema = z.strictObject({ overlapHours, activeAt: z.date().nullish() });

/**
 * Creates a new signing secret, which is shown only in the answer. During the overlap, deliveries are signed with the
 * old one too. Without an overlap, all earlier secrets stop working.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; INVALID_STATE for an overlap while an earlier one lasts
 */
export async function rotateWebhookSecret(
  operation: Operation<ShopKey>,
  { encryption }: WebhookServices,
  id: string,
  request: z.input<typeof rotateWebhookSecretSchema>,
): Promise<string> {
  const input = parseInput(rotateWebhookSecretSchema, request);
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const endpoint = await lockWebhookEndpoint(em, shop.id, id);
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
    await recordAudit(inside, {
      action: AuditAction.WEBHOOK_SECRET_ROTATED,
      target: { id, name: withoutQuery(endpoint.url) },
      details: { activeAt: secretActiveAt.toISOString(), oldSecretExpiresAt: oldSecretExpiresAt.toISOString() },
    });
    return secret;
  });
}
