import { z } from "zod";
import { traceParent } from "../../../platform/telemetry/tracing.ts";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { requireApiAccess } from "../../access/permissions.ts";
import { newId } from "../../model/ids.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { Delivery, DeliveryStatus, Event, OutstandingDelivery } from "../../model/webhooks/event.entity.ts";
import { topicNames, type Topic, type TopicData } from "../../model/webhooks/topics.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { auditEndpoint, limitRate, lockWebhookEndpoint } from "../endpoints/read-webhook-endpoints.ts";
import { announceArrivals, sendNow } from "../jobs/send-jobs.sql.ts";
import { serializeEvent } from "./record-event.sql.ts";

/** Test events per minute and endpoint. */
const MAX_A_MINUTE = 10;

const sendTestEventSchema = z.strictObject({ topic: z.enum(topicNames).nullish() });

/**
 * Sends a test event to an endpoint once, in any state. A pull endpoint keeps it until it is received. Returns the
 * delivery's id.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; PLAN_FORBIDS; RATE_LIMITED after ten in a minute
 */
export async function sendTestEvent(
  operation: Operation<CurrentShop>,
  endpointId: string,
  request: z.input<typeof sendTestEventSchema>,
): Promise<string> {
  const input = parseInput(sendTestEventSchema, request);
  const { shop } = operation;
  requireApiAccess(shop);
  return inTransaction(operation, async (inside) => {
    const { em } = inside;
    const shopId = shop.id;
    const endpoint = await lockWebhookEndpoint(inside, endpointId);
    await limitRate(em, endpoint, {
      action: AuditAction.WEBHOOK_TEST_SENT,
      most: MAX_A_MINUTE,
      message: `An endpoint can receive at most ${MAX_A_MINUTE} test events per minute`,
    });
    const topic = input.topic ?? endpoint.topics[0]!;
    const createdAt = await databaseTime(em);
    const id = newId("whd");
    const eventId = newId("evt");
    const body = serializeEvent(eventId, { shopId, topic, data: sampleData(topic, shop), createdAt });
    await em.insert(Event, { shopId, id: eventId, topic, body, createdAt, traceParent: traceParent() ?? null });
    const related = { event: [shopId, eventId], endpoint: [shopId, endpointId] } as const;
    const delivery = { shopId, id, topic, isTest: true, createdAt, ...related };
    await em.insert(Delivery, delivery);
    const isPull = endpoint.pullPaused !== null;
    const nextAttemptAt = isPull ? createdAt : null;
    await em.insert(OutstandingDelivery, { ...delivery, status: DeliveryStatus.PENDING, attempts: 0, nextAttemptAt });
    if (isPull) await announceArrivals(em, [endpointId]);
    else await sendNow(em, { shopId, endpointId });
    await auditEndpoint(inside, AuditAction.WEBHOOK_TEST_SENT, endpoint, { topic, deliveryId: id });
    return id;
  });
}

const order = () => ({ orderId: newId("ord"), orderNumber: "1001" });
const changedOrder = () => ({ ...order(), version: 2 });
const product = () => ({ productId: newId("prod"), handle: "sample-product", version: 1 });
const customer = () => ({ customerId: newId("cus"), version: 1 });

const samples: { [Name in Topic]: (shop: Pick<Shop, "currency">) => TopicData<Name> } = {
  "order.created": order,
  "order.updated": changedOrder,
  "order.paid": changedOrder,
  "order.cancelled": changedOrder,
  "order.refunded": ({ currency }) => ({ ...changedOrder(), refundId: newId("ref"), amount: 10, currency }),
  "product.created": product,
  "product.updated": product,
  "product.deleted": product,
  "customer.created": customer,
  "customer.updated": customer,
};

/** Sample data of an event with this topic in this shop. Its ids match no record. */
export function sampleData<Name extends Topic>(topic: Name, shop: Pick<Shop, "currency">): TopicData<Name> {
  return samples[topic](shop);
}
