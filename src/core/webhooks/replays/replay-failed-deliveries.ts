import { sql, type Kysely } from "kysely";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { requireApiAccess } from "../../access/permissions.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import { kysely } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import { countFailedDeliveries, type FailedSinceKey } from "./count-failed-deliveries.ts";
import { INTERVAL, waitingReplays } from "./load-replay-progress.ts";
import { lockReplayTarget } from "./lock-replay-target.ts";
import { takeOldest } from "./take-deliveries.sql.ts";
import { withoutQuery } from "../endpoints/target-url.ts";
import { sendAt } from "../jobs/send-jobs.sql.ts";

export interface Replay {
  replayed: number;
  remaining: number;
  /** When the last delivery is sent. */
  lastAt: Date | null;
}

/**
 * Replays failed deliveries of events since a time with all attempts: the oldest 10,000, 50 a second, after a running
 * replay.
 *
 * @throws AppError NOT_FOUND; PLAN_FORBIDS; INVALID_STATE when the endpoint is disabled or was deleted
 */
export async function replayFailedDeliveries(
  operation: Operation<CurrentShop>,
  { endpointId, since }: { endpointId: string; since: Date },
): Promise<Replay> {
  requireApiAccess(operation.shop);
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const { url, replaysFrom } = await lockReplayTarget(em, shop.id, endpointId);
    const database = kysely(em);
    const key = { shopId: shop.id, id: endpointId, since };
    const isFollowing = await isReplaying(database, key);
    const replayed = await takeOldest(database, key, replaysFrom);
    const [remaining] = (await countFailedDeliveries(database, [key])) as [number];
    if (replayed === 0) return { replayed, remaining, lastAt: null };
    const end = new Date(replaysFrom.getTime() + replayed * INTERVAL);
    const lastAt = new Date(end.getTime() - INTERVAL);
    await database
      .updateTable("webhook_endpoints")
      .set({ replays_until: end, replay_total: isFollowing ? sql`replay_total + ${replayed}` : replayed })
      .$if(!isFollowing, (update) => update.set({ replay_started_at: sql`now()` }))
      .where("shop_id", "=", shop.id)
      .where("id", "=", endpointId)
      .execute();
    await sendAt(em, { shopId: shop.id, endpointId }, everySecond(replaysFrom, lastAt), 1);
    await recordAudit(inside, {
      action: AuditAction.WEBHOOK_DELIVERIES_REPLAYED,
      target: { id: endpointId, name: withoutQuery(url) },
      details: { since: since.toISOString(), replayed: String(replayed), remaining: String(remaining) },
    });
    return { replayed, remaining, lastAt };
  });
}

/** Returns true while deliveries of an earlier request are pending. */
async function isReplaying(database: Kysely<Database>, { shopId, id }: FailedSinceKey): Promise<boolean> {
  const row = await database
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("shop_id", "=", shopId)
    .where("id", "=", id)
    .where(({ exists }) => exists(waitingReplays()))
    .executeTakeFirst();
  return row !== undefined;
}

/** The times of the replayed batches. The last is not before `lastAt`. */
function everySecond(from: Date, lastAt: Date): Date[] {
  const seconds = Math.ceil((lastAt.getTime() - from.getTime()) / 1_000);
  return Array.from({ length: seconds + 1 }, (_, second) => new Date(from.getTime() + second * 1_000));
}
