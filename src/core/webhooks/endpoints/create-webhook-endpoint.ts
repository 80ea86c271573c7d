import { randomBytes } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../model/errors.ts";
import type { Encryption } from "../../../platform/encryption.ts";
import { newId } from "../../model/ids.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import { describePlan, planLimits } from "../../access/permissions.ts";
import { lockShop } from "../../shops/lock-shop.ts";
import { headersSchema, sealHeaders } from "./endpoint-headers.ts";
import { secretOwner } from "./signing-secrets.ts";
import { targetUrl, withoutQuery } from "./target-url.ts";
import { inOrder, topicNames } from "../../model/webhooks/topics.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";

export const descriptionSchema = text({ min: 1, max: 255, trim: true });

const createWebhookEndpointSchema = (allowLoopback: boolean) =>
  z.strictObject({
    url: targetUrl(allowLoopback),
    topics: z.array(z.enum(topicNames)).min(1),
    description: descriptionSchema.nullish(),
    headers: headersSchema.nullish(),
  });

export interface WebhookServices {
  encryption: Encryption;
  webhooksAllowLoopback: boolean;
}

/**
 * Creates an endpoint. The signing secret in the answer is stored encrypted and never shown again. Header values are
 * stored encrypted too, and never shown.
 *
 * @throws AppError VALIDATION_FAILED; LIMIT_REACHED when the plan allows no more endpoints
 */
export async function createWebhookEndpoint(
  operation: Operation<ShopKey>,
  { encryption, webhooksAllowLoopback }: WebhookServices,
  request: z.input<ReturnType<typeof createWebhookEndpointSchema>>,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const { url, ...input } = parseInput(createWebhookEndpointSchema(webhooksAllowLoopback), request);
  return inTransaction(operation, async (inside) => {
    const { em, actor } = inside;
    const shopId = inside.shop.id;
    const shop = await lockShop(em, shopId);
    const { webhookEndpoints } = planLimits(shop);
    if ((await em.count(WebhookEndpoint, { shopId })) >= webhookEndpoints) {
      throw new AppError("LIMIT_REACHED", `${describePlan(shop)} allows ${webhookEndpoints} webhook endpoints`);
    }
    const secret = generateSigningSecret();
    const id = newId("whe");
    const createdAt = await databaseTime(em);
    const endpoint = em.create(WebhookEndpoint, {
      url,
      topics: inOrder(input.topics),
      description: input.description ?? null,
      ...sealHeaders(encryption, { shopId, id }, input.headers ?? {}),
      shopId,
      id,
      paused: false,
      secretActiveAt: null,
      sealedOldSecret: null,
      oldSecretExpiresAt: null,
      sealedSecret: encryption.seal(secret, secretOwner({ shopId, id })),
      createdBy: actor.id,
      createdAt,
      updatedAt: createdAt,
    });
    em.persist(endpoint);
    await recordAudit(inside, {
      action: AuditAction.WEBHOOK_ENDPOINT_CREATED,
      target: { id, name: withoutQuery(url) },
      details: {
        topics: endpoint.topics.join(", "),
        ...(endpoint.description !== null && { description: endpoint.description }),
        ...(endpoint.headerNames.length > 0 && { headers: endpoint.headerNames.join(", ") }),
      },
    });
    return { endpoint, secret };
  });
}

/** In the format of Standard Webhooks. */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
