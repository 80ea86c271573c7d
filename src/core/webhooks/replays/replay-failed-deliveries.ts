import type { Kysely } from "kysely";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { requireApiAccess } from "../../access/permissions.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import { countFailedDeliveries, failedSince, type FailedSinceKey } from "./count-failed-deliveries.ts";
import { INTERVAL, waitingReplays } from "./load-replay-progress.ts";
import { lockReplayTarget } from "./lock-replay-target.ts";
import { RESET_SQL } from "./replay-delivery.ts";
import { withoutQuery } from "../endpoints/target-url.ts";
import { sendAt } from "../deliveries/send-jobs.ts";

/** The most deliveries that one request takes. */
export const MAX_REPLAYED = 10_000;

export interface Replay {
  replayed: number;
  remaining: number;
  /** The moment of the last attempt. */
  lastAt: Date | null;
}

/**
 * Delivers once more, with all attempts, what happened since a moment and failed: the oldest 10,000 of it, 50 a second,
 * after what is being replayed already.
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
    await runStatement(
      database,
      `update webhook_endpoints set replays_until = $3,
        replay_started_at = case when $5 then replay_started_at else now() end,
        replay_total = case when $5 then replay_total else 0 end + $4
      where shop_id = $1 and id = $2`,
      [shop.id, endpointId, end, replayed, isFollowing],
    );
    await sendAt(em, { shopId: shop.id, endpointId }, everySecond(replaysFrom, lastAt), 1);
    await recordAudit(inside, {
      action: AuditAction.WEBHOOK_DELIVERIES_REPLAYED,
      target: { id: endpointId, name: withoutQuery(url) },
      details: { since: since.toISOString(), replayed: String(replayed), remaining: String(remaining) },
    });
    return { replayed, remaining, lastAt };
  });
}

/** Tells whether deliveries of an earlier request wait. */
async function isReplaying(database: Kysely<Database>, { shopId, id }: FailedSinceKey): Promise<boolean> {
  const statement = `select exists (${waitingReplays("$1", "$2")}) as "isReplaying"`;
  const [row] = await runStatement<{ isReplaying: boolean }>(database, statement, [shopId, id]);
  return row!.isReplaying;
}

/** The moments at which what is replayed goes out, in parts: the last of them is not before `lastAt`. */
function everySecond(from: Date, lastAt: Date): Date[] {
  const seconds = Math.ceil((lastAt.getTime() - from.getTime()) / 1_000);
  return Array.from({ length: seconds + 1 }, (_, second) => new Date(from.getTime() + second * 1_000));
}

async function takeOldest(
  database: Kysely<Database>,
  { shopId, id, since }: FailedSinceKey,
  from: Date,
): Promise<number> {
  const [taken] = await runStatement<{ count: number }>(
    database,
    `with oldest as (
      select * from outstanding_deliveries where ${failedSince("$1", "$2", "$3")}
      order by created_at, id limit ${MAX_REPLAYED}
      -- What somebody else is replaying is taken already.
      for no key update skip locked
    ), replayed as (
      -- Every one conflicts. An update would join, by a plan for what PostgreSQL believes to be outstanding.
      insert into outstanding_deliveries (shop_id, id, event_id, endpoint_id, topic, created_at, is_replayed, status,
        attempts, next_attempt_at)
      select oldest.shop_id, oldest.id, event_id, endpoint_id, topic, created_at, true, 'PENDING', 0,
        $4::timestamptz + (row_number() over (order by created_at, oldest.id) - 1) * interval '${INTERVAL} milliseconds'
      from oldest
      -- What is being deleted for its age is gone.
      cross join lateral (
        select from deliveries where deliveries.shop_id = oldest.shop_id and deliveries.id = oldest.id
        for no key update skip locked
      ) held
      on conflict (id, shop_id) do update set ${RESET_SQL}
      returning 1
    )
    select count(*)::int as count from replayed`,
    [shopId, id, since, from],
  );
  return taken!.count;
}
