import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { AppError, invalidInput } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { parseInput, text } from "../input.ts";
import { planLimits, SCOPES } from "../permissions.ts";
import { Shop } from "../shops/shop.entity.ts";
import { digestSecret, generateApiKeySecret } from "./api-key-secret.ts";
import { ApiKey } from "./api-key.entity.ts";

const createApiKeySchema = z.strictObject({
  name: text({ min: 1, max: 255, trim: true }),
  scopes: z.array(z.enum(SCOPES)).min(1),
  createdBy: z.string().nullable().default(null),
  expiresAt: z.date().nullable().default(null),
});

/**
 * Creates an API key. The secret in the answer exists nowhere else.
 *
 * @throws AppError VALIDATION_FAILED; LIMIT_REACHED when the plan allows no further key; SHOP_NOT_FOUND
 */
export async function createApiKey(
  em: EntityManager,
  shopId: string,
  request: z.input<typeof createApiKeySchema>,
): Promise<{ key: ApiKey; secret: string }> {
  const input = parseInput(createApiKeySchema, request);
  return em.transactional(async (transaction) => {
    // The lock makes requests that race for the last place take turns.
    const shop = await transaction.findOne(Shop, { id: shopId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!shop) throw new AppError("SHOP_NOT_FOUND", "Shop not found");
    const limits = planLimits(shop);
    const withheld = input.scopes.filter((scope) => !limits.scopes.includes(scope));
    if (withheld.length > 0) {
      const message = `The plan ${shop.plan} does not include ${withheld.join(", ")}`;
      throw invalidInput([{ path: "scopes", code: "invalid_value", message }]);
    }
    const inUse = await transaction.count(ApiKey, { shopId, revokedAt: null });
    if (inUse >= limits.apiKeys) {
      throw new AppError("LIMIT_REACHED", `The plan ${shop.plan} allows ${limits.apiKeys} API keys`);
    }
    const secret = generateApiKeySecret();
    const key = transaction.create(ApiKey, {
      ...input,
      scopes: [...new Set(input.scopes)],
      shopId,
      id: newId("key"),
      digest: digestSecret(secret),
      firstCharacters: secret.slice(0, 12),
      lastCharacters: secret.slice(-4),
      createdAt: new Date(),
      revokedAt: null,
      lastUsedAt: null,
      successorId: null,
    });
    transaction.persist(key);
    return { key, secret };
  });
}
