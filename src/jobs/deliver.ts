import { sql } from "kysely";
import { request } from "undici";
import type { CoreServices } from "../core/context.ts";
import { projections } from "../core/database.ts";
import { secretOwner } from "../core/webhooks/create-webhook-endpoint.ts";
import { DeliveryStatus } from "../core/webhooks/event.entity.ts";
import { checkTargetUrl } from "../core/webhooks/target-url.ts";
import { nextAttemptAt } from "./retry-schedule.ts";
import { signDelivery } from "./sign.ts";

const TIMEOUT = 10_000;
const USER_AGENT = "MerchantAPI-Webhooks/1.0";

export interface DeliveryKey {
  shopId: string;
  deliveryId: string;
}

interface PendingDelivery {
  attempts: number;
  topic: string;
  eventId: string;
  body: string;
  endpointId: string;
  url: string;
  sealedSecret: string;
}

/** What came of one attempt. Without an error it succeeded. */
interface Outcome {
  responseStatus: number | null;
  error: string | null;
}

/**
 * Makes one attempt of a delivery and writes down what came of it, with the next attempt when it failed.
 * A receiver that fails is an outcome, not an error: what this throws is a fault of ours.
 */
export async function deliver(services: CoreServices, key: DeliveryKey): Promise<void> {
  const delivery = await findPending(services, key);
  if (!delivery) return;
  const startedAt = new Date();
  const outcome = await attempt(services, key, delivery, startedAt);
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
    .select(["endpoint.id as endpointId", "endpoint.url", "endpoint.sealed_secret as sealedSecret"])
    .where("delivery.shop_id", "=", key.shopId)
    .where("delivery.id", "=", key.deliveryId)
    .where("delivery.status", "=", DeliveryStatus.PENDING)
    .executeTakeFirst();
}

async function attempt(
  services: CoreServices,
  key: DeliveryKey,
  delivery: PendingDelivery,
  at: Date,
): Promise<Outcome> {
  const problem = checkTargetUrl(delivery.url, services.webhooksAllowLoopback);
  if (problem) return { responseStatus: null, error: problem };
  const { eventId, body, topic } = delivery;
  const owner = secretOwner({ shopId: key.shopId, id: delivery.endpointId });
  const secret = services.encryption.open(delivery.sealedSecret, owner);
  try {
    const response = await request(delivery.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "x-webhook-topic": topic,
        ...signDelivery({ secret, eventId, body, at }),
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.body.dump();
    const isSuccess = response.statusCode >= 200 && response.statusCode < 300;
    return { responseStatus: response.statusCode, error: isSuccess ? null : `Answered ${response.statusCode}` };
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return { responseStatus: null, error: code === undefined ? name : String(code) };
  }
}

async function record(
  { orm }: CoreServices,
  key: DeliveryKey,
  attempts: number,
  attemptedAt: Date,
  { responseStatus, error }: Outcome,
): Promise<void> {
  const next = error === null ? undefined : nextAttemptAt(attempts, new Date());
  const status = next ? DeliveryStatus.PENDING : error === null ? DeliveryStatus.SUCCEEDED : DeliveryStatus.FAILED;
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
