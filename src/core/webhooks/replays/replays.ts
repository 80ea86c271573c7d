import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Kysely } from "kysely";
import { Int, ObjectType } from "type-graphql";
import { limitedTo } from "../../access/actor.ts";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { requireApiAccess } from "../../access/permissions.ts";
import { AppError } from "../../model/errors.ts";
import { field, nullable, objectOf } from "../../model/fields.ts";
import { isId } from "../../model/ids.ts";
import { Permission } from "../../model/permissions.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import type { Database } from "../../model/tables.ts";
import { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";
import { kysely } from "../../queries/database.ts";
import { runIdempotent, type IdempotencyClaim } from "../../idempotency/run-idempotent.ts";
import { auditEndpoint, isOfOwn, isOwn, type OwnKey } from "../endpoints/read-webhook-endpoints.ts";
import { announceArrivals, sendNow, sendAt } from "../jobs/send-jobs.sql.ts";
import {
  countFailedDeliveries,
  INTERVAL,
  MAX_FAILED_COUNTED,
  waitingReplays,
  type FailedSinceKey,
} from "./replay-progress.ts";
import { MAX_REPLAYED, takeDelivery, takeOldest } from "./take-deliveries.sql.ts";

/**
 * Replays a failed or successful delivery immediately, with all attempts. Does nothing when it is pending.
 *
 * @throws AppError NOT_FOUND; PLAN_FORBIDS; INVALID_STATE for a test event, or when the endpoint is disabled or was
 *   deleted
 */
export async function replayDelivery(
  operation: Operation<CurrentShop>,
  delivery: Omit<OwnKey, "shopId">,
  claim?: IdempotencyClaim,
): Promise<void> {
  requireApiAccess(operation.shop);
  const once = { shopId: operation.shop.id, claim, operation: "replayDelivery", input: { id: delivery.id } };
  await inTransaction(operation, (inside) =>
    runIdempotent(inside.em, once, async () => {
      await sendAgain(inside, delivery);
      return null;
    }),
  );
}

async function sendAgain(inside: Operation<CurrentShop>, { id, owner }: Omit<OwnKey, "shopId">): Promise<void> {
  const { em, shop } = inside;
  const { endpointId, eventId, status, isTest } = await lockDelivery(em, { shopId: shop.id, id, owner });
  if (isTest) {
    throw new AppError("INVALID_STATE", "Test events cannot be replayed", {
      hint: "Send another one with sendTestEvent.",
    });
  }
  const target = await lockReplayTarget(em, { shopId: shop.id, id: endpointId, owner });
  if (status === DeliveryStatus.PENDING) return;
  await takeDelivery(kysely(em), { shopId: shop.id, id });
  if (target.isPull) await announceArrivals(em, [endpointId]);
  else await sendNow(em, { shopId: shop.id, endpointId });
  const details = { deliveryId: id, eventId, status };
  await auditEndpoint(inside, AuditAction.WEBHOOK_DELIVERY_REPLAYED, target, details);
}

/**
 * Locks a delivery against other replays and retention until the transaction ends. Its state is locked before the
 * endpoint, in the order of recording attempts.
 */
async function lockDelivery(em: EntityManager, { shopId, id, owner }: OwnKey) {
  const database = kysely(em);
  const delivery = isId(id)
    ? await database
        .selectFrom("deliveries")
        .select(["endpoint_id as endpointId", "event_id as eventId", "is_test as isTest"])
        .where("shop_id", "=", shopId)
        .where("id", "=", id)
        .where(isOfOwn(shopId, owner))
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined;
  if (!delivery) throw new AppError("NOT_FOUND", "Webhook delivery not found");
  const outstanding = await database
    .selectFrom("outstanding_deliveries")
    .select("status")
    .where("shop_id", "=", shopId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return { ...delivery, status: outstanding?.status ?? DeliveryStatus.SUCCEEDED };
}

@ObjectType({ description: "The deliveries accepted for replay.", simpleResolvers: true })
export class WebhookReplay extends objectOf({
  replayed: field(Int, `The number of deliveries accepted, at most ${MAX_REPLAYED}. The oldest are accepted first.`),
  remaining: field(
    Int,
    `The number of failed deliveries that were not accepted, counted up to ${MAX_FAILED_COUNTED}. Replay again to send them.`,
  ),
  lastAt: nullable(
    TimestampScalar,
    "When the last of these deliveries is due, at 50 a second. Later while the endpoint is paused or suspended. Null if there are none.",
  ),
}) {}

/**
 * Replays failed deliveries of events since a time with all attempts: the oldest 10,000, 50 a second, after a running
 * replay. Those of a pull endpoint can be received immediately.
 *
 * @throws AppError NOT_FOUND; PLAN_FORBIDS; INVALID_STATE when the endpoint is disabled or was deleted
 */
export async function replayFailedDeliveries(
  operation: Operation<CurrentShop>,
  failed: { endpointId: string; since: Date },
  claim?: IdempotencyClaim,
): Promise<WebhookReplay> {
  requireApiAccess(operation.shop);
  const once = { shopId: operation.shop.id, claim, operation: "replayFailedDeliveries", input: failed };
  return inTransaction(operation, (inside) => runIdempotent(inside.em, once, () => sendFailedAgain(inside, failed)));
}

async function sendFailedAgain(
  inside: Operation<CurrentShop>,
  { endpointId, since }: { endpointId: string; since: Date },
): Promise<WebhookReplay> {
  const { em, shop, actor } = inside;
  const owner = limitedTo(actor, Permission.REPLAY_DELIVERIES);
  const target = await lockReplayTarget(em, { shopId: shop.id, id: endpointId, owner });
  const { isPull, replaysFrom } = target;
  const interval = isPull ? 0 : INTERVAL;
  const database = kysely(em);
  const key = { shopId: shop.id, id: endpointId, since };
  const isFollowing = await isReplaying(database, key);
  const replayed = await takeOldest(database, key, isPull ? null : replaysFrom);
  const [remaining] = (await countFailedDeliveries(database, [key])) as [number];
  if (replayed === 0) return { replayed, remaining, lastAt: null };
  const end = new Date(replaysFrom.getTime() + replayed * interval);
  const lastAt = new Date(end.getTime() - interval);
  await database
    .updateTable("webhook_endpoints")
    .set({ replays_until: end, replay_total: isFollowing ? sql`replay_total + ${replayed}` : replayed })
    .$if(!isFollowing, (update) => update.set({ replay_started_at: sql`now()` }))
    .where("shop_id", "=", shop.id)
    .where("id", "=", endpointId)
    .execute();
  if (isPull) await announceArrivals(em, [endpointId]);
  else {
    const moments = everySecond(replaysFrom, lastAt).map((runAt) => ({ endpointId, runAt }));
    await sendAt(em, shop.id, moments, { priority: 1 });
  }
  const details = { since: since.toISOString(), replayed: String(replayed), remaining: String(remaining) };
  await auditEndpoint(inside, AuditAction.WEBHOOK_DELIVERIES_REPLAYED, target, details);
  return { replayed, remaining, lastAt };
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

/**
 * Locks the endpoint of a replay until the transaction ends. New events are not blocked.
 *
 * @throws AppError NOT_FOUND; INVALID_STATE when it is disabled or was deleted
 */
async function lockReplayTarget(em: EntityManager, { shopId, id, owner }: OwnKey) {
  const endpoint = isId(id)
    ? await kysely(em)
        .selectFrom("webhook_endpoints")
        .select(["id", "url", "description", "disabled_at as disabledAt"])
        .select(sql<boolean>`pull_paused is not null`.as("isPull"))
        // When the next replay begins: at the end of the running one, or now.
        .select(sql<Date>`greatest(replays_until, now())`.as("replaysFrom"))
        .where("shop_id", "=", shopId)
        .where("id", "=", id)
        .where(isOwn(owner))
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined;
  if (!endpoint) {
    // Deliveries of a deleted endpoint are still shown.
    const isDeleted = owner === undefined && isId(id) && (await em.count(DeletedWebhookEndpoint, { shopId, id })) > 0;
    if (!isDeleted) throw new AppError("NOT_FOUND", "Webhook endpoint not found");
    const hint = "Its deliveries are visible for 30 days, but cannot be replayed.";
    throw new AppError("INVALID_STATE", "The endpoint was deleted", { hint });
  }
  if (endpoint.disabledAt) {
    throw new AppError("INVALID_STATE", "The endpoint is disabled", {
      hint: "Send a test event first. A successful test event enables the endpoint.",
    });
  }
  return endpoint;
}
