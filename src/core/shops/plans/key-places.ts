import type { EntityManager } from "@mikro-orm/postgresql";
import { ApiKey } from "../../model/credentials/api-key.entity.ts";

type LivingKey = Pick<ApiKey, "id" | "successorId" | "scopes">;

/** The keys of a shop that were not revoked and have not expired. */
export function listLivingKeys(em: EntityManager, shopId: string, now: Date): Promise<LivingKey[]> {
  const isAlive = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  return em.find(ApiKey, { shopId, ...isAlive }, { fields: ["successorId", "scopes"], disableIdentityMap: true });
}

/**
 * The number of the plan's places that living keys take: each one, but not one whose living successor takes its place.
 * A key whose successor has ended takes its own again; else who rotates and revokes in turn would have any number of
 * keys alive.
 */
export function countPlaces(living: readonly LivingKey[]): number {
  const ids = new Set(living.map(({ id }) => id));
  return living.filter(({ successorId }) => successorId === null || !ids.has(successorId)).length;
}
