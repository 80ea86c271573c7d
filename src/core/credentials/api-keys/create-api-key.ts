import { z } from "zod";
import { AppError, invalidInput } from "../../model/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { describePlan, planLimits } from "../../access/permissions.ts";
import { SCOPES } from "../../model/permissions.ts";
import { lockShop } from "../../shops/lock-shop.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { credentialEnd } from "../credential-end.ts";
import { credentialName } from "../rename-credential.ts";
import { issueApiKey, type IssuedApiKey } from "./issue-api-key.ts";
import { countPlaces, listLivingKeys } from "../../shops/plans/key-places.ts";
import { recordAudit } from "../../audit/record-audit.ts";

const createApiKeySchema = (now: Date) =>
  z.strictObject({
    name: credentialName,
    scopes: z.array(z.enum(SCOPES)).min(1),
    expiresAt: credentialEnd(now),
  });

/**
 * Creates an API key. Its secret is only in the result.
 *
 * @throws AppError VALIDATION_FAILED; LIMIT_REACHED when the plan allows no further key; SHOP_NOT_FOUND
 */
export async function createApiKey(
  operation: Operation<ShopKey>,
  request: z.input<ReturnType<typeof createApiKeySchema>>,
): Promise<IssuedApiKey> {
  const { name, scopes, expiresAt } = parseInput(createApiKeySchema(await databaseTime(operation.em)), request);
  return inTransaction(operation, async (inside) => {
    const { em, actor } = inside;
    const shopId = inside.shop.id;
    const shop = await lockShop(em, shopId);
    const limits = planLimits(shop);
    const withheld = scopes.filter((scope) => !limits.scopes.includes(scope));
    if (withheld.length > 0) {
      const message = `${describePlan(shop)} does not include ${withheld.join(", ")}`;
      throw invalidInput([{ path: "scopes", code: "invalid_value", message }]);
    }
    const createdAt = await databaseTime(em);
    if (countPlaces(await listLivingKeys(em, shopId, createdAt)) >= limits.apiKeys) {
      throw new AppError("LIMIT_REACHED", `${describePlan(shop)} allows ${limits.apiKeys} API keys`);
    }
    const granted = [...new Set(scopes)];
    const issued = issueApiKey(em, {
      shopId,
      name,
      scopes: granted,
      createdBy: actor.id,
      createdAt,
      expiresAt,
    });
    await recordAudit(inside, {
      action: AuditAction.API_KEY_CREATED,
      target: { id: issued.apiKey.id, name },
      details: { scopes: granted.join(", "), ...(expiresAt && { expiresAt: expiresAt.toISOString() }) },
    });
    return issued;
  });
}
