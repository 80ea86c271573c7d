import { randomBytes } from "node:crypto";
import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { AppError, invalidInput } from "../../platform/errors.ts";
import type { Encryption } from "../../platform/encryption.ts";
import { newId } from "../../platform/ids.ts";
import { parseInput } from "../input.ts";
import { planLimits } from "../permissions.ts";
import { Shop } from "../shops/shop.entity.ts";
import { checkTargetUrl } from "./target-url.ts";
import { topicNames } from "./topics.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

const createWebhookEndpointSchema = z.strictObject({
  url: z.string().max(2048),
  topics: z.array(z.enum(topicNames)).min(1),
  createdBy: z.string().nullable().default(null),
});

export interface WebhookServices {
  em: EntityManager;
  encryption: Encryption;
  webhooksAllowLoopback: boolean;
}

/**
 * Subscribes an address. The signing secret in the answer is stored encrypted and never shown again.
 *
 * @throws AppError VALIDATION_FAILED; LIMIT_REACHED when the plan allows no further endpoint
 */
export async function createWebhookEndpoint(
  { em, encryption, webhooksAllowLoopback }: WebhookServices,
  shopId: string,
  request: z.input<typeof createWebhookEndpointSchema>,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const input = parseInput(createWebhookEndpointSchema, request);
  const problem = checkTargetUrl(input.url, webhooksAllowLoopback);
  if (problem) throw invalidInput([{ path: "url", code: "invalid_value", message: problem }]);
  return em.transactional(async (transaction) => {
    // The lock makes requests that race for the last place take turns.
    const shop = await transaction.findOne(Shop, { id: shopId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!shop) throw new AppError("SHOP_NOT_FOUND", "Shop not found");
    const { webhookEndpoints } = planLimits(shop);
    if ((await transaction.count(WebhookEndpoint, { shopId })) >= webhookEndpoints) {
      throw new AppError("LIMIT_REACHED", `The plan ${shop.plan} allows ${webhookEndpoints} webhook endpoints`);
    }
    const secret = `whsec_${randomBytes(32).toString("base64")}`;
    const id = newId("whe");
    const createdAt = new Date();
    const endpoint = transaction.create(WebhookEndpoint, {
      ...input,
      topics: [...new Set(input.topics)],
      shopId,
      id,
      paused: false,
      secretActiveAt: null,
      sealedOldSecret: null,
      oldSecretExpiresAt: null,
      sealedSecret: encryption.seal(secret, secretOwner({ shopId, id })),
      createdAt,
      updatedAt: createdAt,
    });
    transaction.persist(endpoint);
    return { endpoint, secret };
  });
}

/** What a sealed signing secret is bound to: it does not open for another endpoint. */
export function secretOwner(endpoint: { shopId: string; id: string }): string {
  return `webhook-endpoint/${endpoint.shopId}/${endpoint.id}`;
}
