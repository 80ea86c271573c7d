import { sql } from "kysely";
import type { CoreServices } from "../core/context.ts";
import { projections, runStatement } from "../core/database.ts";
import { DeliveryStatus } from "../core/webhooks/event.entity.ts";
import { openSigningSecrets, type SealedSecrets } from "../core/webhooks/signing-secrets.ts";
import type { AttemptOutcome } from "./exchange.ts";
import type { Transport } from "./post-delivery.ts";
import { nextAttemptAt } from "./retry-schedule.ts";
import { signDelivery } from "./sign.ts";

const USER_AGENT = "MerchantAPI-Webhooks/1.0";

export interface DeliveryKey {
  shopId: string;
  deliveryId: string;
}

/** A delivery with its event, and the endpoint as it is now. */
interface PendingDelivery extends SealedSecrets {
  attempts: number;
  topic: string;
  eventId: string;
  body: string;
  url: string;
  paused: boolean;
}

/**
 * Makes one attempt of a delivery and writes down what came of it, with the next attempt when it failed.
 * A receiver that fails is an outcome, not an error: what this throws is a fault of ours.
 */
export async function deliver(services: CoreServices, transport: Transport, key: DeliveryKey): Promise<void> {
  const delivery = await findPending(services, key);
  if (!delivery || (delivery.paused && (await park(services, key)))) return;
  const startedAt = new Date();
  const outcome = await attempt(services, transport, delivery, startedAt);
  await record(services, key, delivery.attempts + 1, startedAt, outcome);
}

async function findPending(services: CoreServices, key: DeliveryKey): Promise<PendingDelivery | undefined> {
  return projections(services.orm.em)
    .selectFrom("deliveries as delivery")
    .innerJoin("events as event", (join) =>
      join.onRef("event.shop_id", "=", "delivery.shop_id").onRef("event.id", "=", "delivery.event_id"),
    )
    .innerJoin("webhook_endpoints as endpoint", (join) =>
      join.onRef("endpoint.shop_id", "=", "delivery.shop_id").onRef("endpoint.id", "=", "delivery.endpoint_id"),
    )
    .select(["delivery.attempts", "event.topic", "event.id as eventId", "event.body"])
    .select(["endpoint.shop_id as shopId", "endpoint.id", "endpoint.url", "endpoint.paused"])
    .select(["sealed_secret as sealedSecret", "secret_active_at as secretActiveAt"])
    .select(["sealed_old_secret as sealedOldSecret", "old_secret_expires_at as oldSecretExpiresAt"])
    .where("delivery.shop_id", "=", key.shopId)
    .where("delivery.id", "=", key.deliveryId)
    .where("delivery.status", "=", DeliveryStatus.PENDING)
    .executeTakeFirst();
}

/**
 * Puts a delivery aside until its endpoint is unpaused, which gives it a new job. False when the endpoint was
 * unpaused meanwhile; the lock makes the two take turns.
 */
async function park({ orm }: CoreServices, { shopId, deliveryId }: DeliveryKey): Promise<boolean> {
  const parked = await runStatement(
    projections(orm.em),
    `with endpoint as (
      select shop_id, id from webhook_endpoints
      where shop_id = $1 and id = (select endpoint_id from deliveries where shop_id = $1 and id = $2) and paused
      for key share
    )
    update deliveries set next_attempt_at = null from endpoint
    where deliveries.shop_id = $1 and deliveries.id = $2 and endpoint_id = endpoint.id
    returning deliveries.id`,
    [shopId, deliveryId],
  );
  return parked.length > 0;
}

function attempt(
  services: CoreServices,
  transport: Transport,
  delivery: PendingDelivery,
  at: Date,
): Promise<AttemptOutcome> {
  const { eventId, body, topic, url } = delivery;
  const secrets = openSigningSecrets(services.encryption, delivery, at);
  const headers = {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "x-webhook-topic": topic,
    ...signDelivery({ secrets, eventId, body, at }),
  };
  return transport.post(url, headers, body);
}

async function record(
  { orm }: CoreServices,
  key: DeliveryKey,
  attempts: number,
  attemptedAt: Date,
  { status: responseStatus, errorClass, error }: AttemptOutcome,
): Promise<void> {
  const next = errorClass === null ? undefined : nextAttemptAt(attempts, new Date());
  const status = next ? DeliveryStatus.PENDING : errorClass === null ? DeliveryStatus.SUCCEEDED : DeliveryStatus.FAILED;
  await orm.em.transactional(async (em) => {
    const database = projections(em);
    await database
      .updateTable("deliveries")
      .set({
        status,
        attempts,
        response_status: responseStatus,
        error,
        attempted_at: attemptedAt,
        next_attempt_at: next ?? null,
      })
      .where("shop_id", "=", key.shopId)
      .where("id", "=", key.deliveryId)
      .execute();
    if (next) {
      await sql`select graphile_worker.add_job('deliver-webhook', ${JSON.stringify(key)}::json, run_at := ${next})`.execute(
        database,
      );
    }
  });
}
