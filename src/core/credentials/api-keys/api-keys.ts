import { z } from "zod";
import { AppError, invalidInput } from "../../model/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { describePlan, planLimits, upgradeHint } from "../../access/permissions.ts";
import { SCOPES, type Scope } from "../../model/permissions.ts";
import { lockShop } from "../../shops/shops.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { credentialEnd, credentialName, lockCredential } from "../credentials.ts";
import { countPlaces, listLivingKeys } from "../../shops/plans/key-places.ts";
import { apiKeyName } from "../../shops/sandbox-rules.ts";
import { describeChange, recordAudit } from "../../audit/record-audit.ts";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { kysely } from "../../queries/database.ts";
import { allowedAddresses, allowedAddressesSchema } from "../../model/network.ts";
import { newId } from "../../model/ids.ts";
import { CredentialStatus } from "../../model/credentials/credential.ts";
import { generateApiKeySecret, fingerprintOf } from "../secret.ts";
import { ApiKey, SimulatedFailure } from "../../model/credentials/api-key.entity.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import { apiKeys } from "../credential-kind.ts";

const createApiKeySchema = (now: Date) =>
  z.strictObject({
    name: credentialName,
    scopes: z.array(z.enum(SCOPES)).min(1),
    expiresAt: credentialEnd(now),
    allowedAddresses: allowedAddresses.default([]),
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
  const input = parseInput(createApiKeySchema(await databaseTime(operation.em)), request);
  const { scopes, expiresAt } = input;
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
    if (countPlaces(await listLivingKeys(em, shopId)) >= limits.apiKeys) {
      throw new AppError("LIMIT_REACHED", `${describePlan(shop)} allows ${limits.apiKeys} API keys`);
    }
    const granted = [...new Set(scopes)];
    const name = apiKeyName(shop, input.name);
    const issued = issueApiKey(em, { ...input, name, shopId, scopes: granted, createdBy: actor.id, createdAt });
    await recordAudit(inside, {
      action: AuditAction.API_KEY_CREATED,
      target: { id: issued.apiKey.id, name },
      details: {
        scopes: granted.join(", "),
        ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
        ...(input.allowedAddresses.length > 0 && { allowedAddresses: input.allowedAddresses.join(", ") }),
      },
    });
    return issued;
  });
}

/** A new key, stored when the transaction commits. Its secret is not stored. */
export interface IssuedApiKey {
  apiKey: ApiKey;
  secret: string;
}

export function issueApiKey(
  em: EntityManager,
  fields: Pick<ApiKey, "shopId" | "name" | "scopes" | "createdBy" | "createdAt" | "expiresAt" | "allowedAddresses">,
): IssuedApiKey {
  const secret = generateApiKeySecret();
  const apiKey = em.create(ApiKey, {
    ...fields,
    ...fingerprintOf("sk_live_", secret),
    id: newId("key"),
    revokedAt: null,
    lastUsedAt: null,
    successorId: null,
    failuresLeft: 0,
    failureKind: null,
    status: CredentialStatus.ACTIVE,
  });
  em.persist(apiKey);
  return { apiKey, secret };
}

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
      allowedAddresses: old.allowedAddresses,
    });
    const end = overlapEnd(now, input.overlapHours);
    const expiresAt = old.expiresAt && old.expiresAt < end ? old.expiresAt : end;
    Object.assign(old, { successorId: issued.apiKey.id, expiresAt });
    await ignoreSuccessor(em, old);
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

/**
 * Sets the addresses from which a key may be used, within a second. An empty list allows any address.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND
 */
export async function setAllowedAddresses(
  operation: Operation<ShopKey>,
  id: string,
  request: z.input<typeof allowedAddressesSchema>,
): Promise<void> {
  const after = parseInput(allowedAddressesSchema, request);
  await inTransaction(operation, async (inside) => {
    const key = await lockCredential(inside.em, apiKeys, inside.shop.id, id);
    const details = describeChange({ allowedAddresses: key.allowedAddresses }, after);
    if (key.allowedAddresses.join() === after.allowedAddresses.join()) return;
    Object.assign(key, after);
    await recordAudit(inside, { action: AuditAction.API_KEY_UPDATED, target: key, details });
  });
}

const failuresSchema = z.strictObject({ count: z.int().min(0).max(1_000), kind: z.enum(SimulatedFailure) });

/** Lets the next requests of a sandbox's key fail, instead of those set before. @throws AppError VALIDATION_FAILED; NOT_FOUND */
export async function simulateFailures(
  operation: Operation<ShopKey>,
  id: string,
  request: z.input<typeof failuresSchema>,
): Promise<void> {
  const { count, kind } = parseInput(failuresSchema, request);
  await inTransaction(operation, async (inside) => {
    const key = await lockCredential(inside.em, apiKeys, inside.shop.id, id);
    Object.assign(key, { failuresLeft: count, failureKind: kind });
    const details = { failures: String(count), kind };
    await recordAudit(inside, { action: AuditAction.API_KEY_UPDATED, target: key, details });
  });
}

/** Endpoints that leave out changes with a key leave out those with its successor. The key's predecessor has expired. */
async function ignoreSuccessor(em: EntityManager, { shopId, id, successorId }: ApiKey): Promise<void> {
  await kysely(em)
    .updateTable("webhook_endpoints")
    .set({
      ignored_actor_ids: sql`array_append(array(
      select unnest(ignored_actor_ids) except select id from api_keys where shop_id = ${shopId} and successor_id = ${id}
    ), ${successorId})`,
    })
    .where("shop_id", "=", shopId)
    .where(sql<boolean>`${id} = any(ignored_actor_ids)`)
    .execute();
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

function scopesLeft(shop: CurrentShop, { scopes }: ApiKey): Scope[] {
  const included: readonly string[] = planLimits(shop).scopes;
  const left = scopes.filter((scope) => included.includes(scope));
  if (left.length === 0) {
    throw new AppError("PLAN_FORBIDS", `${describePlan(shop)} includes none of the key's scopes`, {
      hint: upgradeHint(shop, (limits) => limits.scopes.some((scope) => scopes.includes(scope))),
    });
  }
  return left;
}

const HOUR = 3_600_000;

/** The hours for which an old secret works beside its successor: 0 to 7 days. */
export const overlapHours = z.int().min(0).max(168).default(24);

export function overlapEnd(start: Date, hours: number): Date {
  return new Date(start.getTime() + hours * HOUR);
}
