import { sql, type EntityManager } from "@mikro-orm/postgresql";
import { ApiKey } from "../../model/credentials/api-key.entity.ts";

type LivingKey = Pick<ApiKey, "id" | "successorId" | "scopes">;

/** The valid keys of a shop. */
export function listLivingKeys(em: EntityManager, shopId: string): Promise<LivingKey[]> {
  const isAlive = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: sql`clock_timestamp()` } }] };
  return em.find(ApiKey, { shopId, ...isAlive }, { fields: ["successorId", "scopes"], disableIdentityMap: true });
}

/**
 * The number of the plan's places taken by valid keys. A key with a valid successor takes none. It takes one again when
 * the successor ends; otherwise rotating and revoking in turn would allow any number of keys.
 */
export function countPlaces(living: readonly LivingKey[]): number {
  const ids = new Set(living.map(({ id }) => id));
  return living.filter(({ successorId }) => successorId === null || !ids.has(successorId)).length;
}
