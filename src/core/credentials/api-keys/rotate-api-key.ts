import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { AppError } from "../../model/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { describePlan, planLimits, upgradeHint } from "../../access/permissions.ts";
import { lockShop } from "../../shops/lock-shop.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import { ApiKey } from "../../model/credentials/api-key.entity.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { credentialEnd } from "../credential-end.ts";
import { issueApiKey, type IssuedApiKey } from "./issue-api-key.ts";
import { apiKeys } from "../credential-kind.ts";
import { lockCredential } from "../lock-credential.ts";
import { overlapEnd, overlapHours } from "./overlap.ts";
import { recordAudit } from "../../audit/record-audit.ts";

const rotateApiKeySchema = (now: Date) => z.strictObject({ overlapHours, expiresAt: credentialEnd(now) });

/**
 * Replaces a key with a new one. The old key works until the overlap ends. Works at the plan's limit too: a key whose
 * predecessor is still valid cannot be rotated, so a shop has at most twice its limit.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; INVALID_STATE; PLAN_FORBIDS when the plan includes none of its scopes
 */
export async function rotateApiKey(
  operation: Operation<ShopKey>,
  id: string,
  request: z.input<ReturnType<typeof rotateApiKeySchema>>,
): Promise<IssuedApiKey> {
  const input = parseInput(rotateApiKeySchema(await databaseTime(operation.em)), request);
  return inTransaction(operation, async (inside) => {
    const { em, actor } = inside;
    const shopId = inside.shop.id;
    const shop = await lockShop(em, shopId);
    const old = await lockCredential(em, apiKeys, shopId, id);
    const now = await databaseTime(em);
    await checkRotatable(em, old, now);
    const issued = issueApiKey(em, {
      shopId,
      name: old.name,
      scopes: scopesLeft(shop, old),
      createdBy: actor.id,
      createdAt: now,
      expiresAt: input.expiresAt,
    });
    const end = overlapEnd(now, input.overlapHours);
    const expiresAt = old.expiresAt && old.expiresAt < end ? old.expiresAt : end;
    Object.assign(old, { successorId: issued.apiKey.id, expiresAt });
    await recordAudit(inside, {
      action: AuditAction.API_KEY_ROTATED,
      target: old,
      details: {
        successorId: issued.apiKey.id,
        expiresAt: expiresAt.toISOString(),
        scopes: issued.apiKey.scopes.join(", "),
        ...(input.expiresAt && { successorExpiresAt: input.expiresAt.toISOString() }),
      },
    });
    return issued;
  });
}

async function checkRotatable(em: EntityManager, key: ApiKey, now: Date): Promise<void> {
  const { shopId, id } = key;
  if (key.revokedAt) throw new AppError("INVALID_STATE", "The API key is revoked");
  if (key.expiresAt && key.expiresAt <= now) throw new AppError("INVALID_STATE", "The API key has expired");
  if (key.successorId) throw new AppError("INVALID_STATE", "The API key was already rotated");
  const isAlive = { revokedAt: null, expiresAt: { $gt: now } };
  const predecessor = await em.findOne(ApiKey, { shopId, successorId: id, ...isAlive });
  if (predecessor) {
    throw new AppError("INVALID_STATE", "The API key that this one replaced is still active", {
      hint: `Revoke ${predecessor.id} first, or wait until it expires.`,
    });
  }
}

function scopesLeft(shop: CurrentShop, { scopes }: ApiKey): string[] {
  const included: readonly string[] = planLimits(shop).scopes;
  const left = scopes.filter((scope) => included.includes(scope));
  if (left.length === 0) {
    throw new AppError("PLAN_FORBIDS", `${describePlan(shop)} includes none of the key's scopes`, {
      hint: upgradeHint(shop, (limits) => limits.scopes.some((scope) => scopes.includes(scope))),
    });
  }
  return left;
}
