import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { z } from "zod";
import { limitedTo } from "../../access/actor.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { requireApiAccess, requireMembership, requirePermission } from "../../access/permissions.ts";
import type { CoreContext, WaitingRequest } from "../../context.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { orOwn, Permission } from "../../model/permissions.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import { kysely } from "../../queries/database.ts";
import { parseInput } from "../../validation/input.ts";
import { isOwn } from "../endpoints/read-webhook-endpoints.ts";
import { announceArrivals } from "../jobs/send-jobs.sql.ts";
import { changeEvents, findNextEnd, leaseEvents, recordFetch, type ReceivedEvent } from "./lease-events.sql.ts";

/** The limits of a request. */
export const MAX_EVENTS = 1_000;
export const LEASE_SECONDS = { min: 5, max: 3_600 };
export const MAX_WAIT_SECONDS = 20;

/** The shortest time between two looks for an ended lease. Milliseconds. */
const SHORTEST_WAIT = 1_000;

const leaseSeconds = z.int().min(LEASE_SECONDS.min).max(LEASE_SECONDS.max);

const receiveEventsSchema = z.strictObject({
  limit: z.int().min(1).max(MAX_EVENTS),
  leaseSeconds,
  waitSeconds: z.int().min(0).max(MAX_WAIT_SECONDS),
});

/**
 * Finds a pull endpoint whose events the actor may receive.
 *
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when events are sent to it
 */
async function findPullEndpoint({ em, shop, actor }: Operation<ShopKey>, id: string) {
  const endpoint = isId(id)
    ? await kysely(em)
        .selectFrom("webhook_endpoints")
        .select("pull_paused as isPaused")
        // True if nobody has been recorded to fetch for a minute.
        .select(sql<boolean>`coalesce(last_fetched_at < now() - interval '1 minute', true)`.as("isUnrecorded"))
        .where("shop_id", "=", shop.id)
        .where("id", "=", id)
        .where(isOwn(limitedTo(actor, Permission.RECEIVE_EVENTS)))
        .executeTakeFirst()
    : undefined;
  if (!endpoint) throw new AppError("NOT_FOUND", "Webhook endpoint not found");
  if (endpoint.isPaused !== null) return endpoint;
  const message = "Must be a pull endpoint: events are sent to the URL of this one";
  throw invalidInput([{ path: "endpointId", code: "invalid_value", message }]);
}

/**
 * Leases the oldest events of a pull endpoint to the caller, and waits for one if there are none. A paused endpoint has
 * none.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; PLAN_FORBIDS
 */
export async function receiveEvents(
  operation: Operation<CurrentShop>,
  context: CoreContext,
  endpointId: string,
  request: z.input<typeof receiveEventsSchema>,
): Promise<ReceivedEvent[]> {
  const input = parseInput(receiveEventsSchema, request);
  const { em, shop, actor } = operation;
  requireApiAccess(shop);
  const key = { shopId: shop.id, id: endpointId, actorId: actor.id! };
  const receive = async () => {
    const { isPaused, isUnrecorded } = await findPullEndpoint(operation, endpointId);
    if (isUnrecorded) await recordFetch(em, key);
    return isPaused ? [] : leaseEvents(em, key, input);
  };
  const events = await receive();
  const { waiting, arrivals } = context;
  if (events.length > 0 || input.waitSeconds === 0 || !waiting || !arrivals.hasRoom(shop.id)) return events;
  // A request waits once, however many fields it has.
  context.waiting = undefined;
  return arrivals.during({ tenant: shop.id, name: endpointId }, async (prepare) => {
    const end = performance.now() + input.waitSeconds * 1_000;
    for (;;) {
      // Before it looks, so that no event is missed.
      const { woken } = await prepare();
      const arrived = await receive();
      const left = end - performance.now();
      if (arrived.length > 0 || left <= 0 || arrivals.isStopped) return arrived;
      const nextEnd = Math.max((await findNextEnd(em, key)) ?? left, SHORTEST_WAIT);
      // Nobody would get the events.
      if (!(await pause(waiting, woken, Math.min(left, nextEnd)))) return [];
      await checkAgain(waiting, shop.id);
    }
  });
}

/** Waits until an event may have come, for this time at most. Returns false if the client has left. */
function pause({ rest }: WaitingRequest, woken: Promise<string>, milliseconds: number): Promise<boolean> {
  return rest(async (closed) => {
    const timer = new AbortController();
    const gone = closed.then(() => false);
    const time = wait(milliseconds, true, timer).catch(() => true);
    return Promise.race([woken.then(() => true), gone, time]).finally(() => timer.abort());
  });
}

/** The caller may have lost the permission, or the shop its plan, during the wait. */
async function checkAgain({ findCaller }: WaitingRequest, shopId: string): Promise<void> {
  const caller = await findCaller();
  requirePermission(caller, shopId, orOwn(Permission.RECEIVE_EVENTS));
  requireApiAccess(requireMembership(caller, shopId).membership.shop);
}

const idsSchema = z.strictObject({ ids: z.array(z.string()).min(1).max(MAX_EVENTS) });
const extendSchema = idsSchema.extend({ leaseSeconds });

/** Events of a request, as the answer counts them. */
export interface ChangedCount {
  changed: number;
  unknownIds: string[];
}

/**
 * Acknowledges, extends or releases events of a pull endpoint. Ids that it does not have, or no longer, change nothing.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND
 */
export async function changeReceivedEvents(
  operation: Operation<ShopKey>,
  endpointId: string,
  what: Parameters<typeof changeEvents>[2],
  request: { ids: string[]; leaseSeconds?: number },
): Promise<ChangedCount> {
  const input: { ids: string[]; leaseSeconds?: number } = parseInput(
    what === "extend" ? extendSchema : idsSchema,
    request,
  );
  const ids = [...new Set(input.ids)];
  return inTransaction(operation, async (inside) => {
    const { em, shop, actor } = inside;
    await findPullEndpoint(inside, endpointId);
    const key = { shopId: shop.id, id: endpointId, actorId: actor.id! };
    const known = ids.filter((id) => isId(id));
    const seconds = input.leaseSeconds;
    const changed = await changeEvents(em, key, what, seconds === undefined ? [known] : [known, seconds]);
    if (what === "release" && changed.size > 0) await announceArrivals(em, [endpointId]);
    return { changed: changed.size, unknownIds: ids.filter((id) => !changed.has(id)) };
  });
}
