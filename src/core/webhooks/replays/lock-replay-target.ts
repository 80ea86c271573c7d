import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { kysely } from "../../queries/database.ts";
import { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";

export interface ReplayTarget {
  url: string;
  /** When the next replay begins: at the end of the running one, or now. */
  replaysFrom: Date;
}

/**
 * Locks the endpoint of a replay until the transaction ends. New events are not blocked.
 *
 * @throws AppError NOT_FOUND; INVALID_STATE when it is disabled or was deleted
 */
export async function lockReplayTarget(em: EntityManager, shopId: string, id: string): Promise<ReplayTarget> {
  const endpoint = isId(id)
    ? await kysely(em)
        .selectFrom("webhook_endpoints")
        .select(["url", "disabled_at as disabledAt", sql<Date>`greatest(replays_until, now())`.as("replaysFrom")])
        .where("shop_id", "=", shopId)
        .where("id", "=", id)
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined;
  if (!endpoint) throw await missing(em, shopId, id);
  if (endpoint.disabledAt) {
    throw new AppError("INVALID_STATE", "The endpoint is disabled", {
      hint: "Send a test event first. A successful test event enables the endpoint.",
    });
  }
  return endpoint;
}

/** The error for a missing endpoint, or one that was deleted while its deliveries are still shown. */
async function missing(em: EntityManager, shopId: string, id: string): Promise<AppError> {
  const isDeleted = isId(id) && (await em.count(DeletedWebhookEndpoint, { shopId, id })) > 0;
  if (!isDeleted) return new AppError("NOT_FOUND", "Webhook endpoint not found");
  const hint = "Its deliveries are visible for 30 days, but cannot be replayed.";
  return new AppError("INVALID_STATE", "The endpoint was deleted", { hint });
}
