import { sql } from "kysely";
import { Int, ObjectType } from "type-graphql";
import { enumType } from "../../model/enum-type.ts";
import { field, nullable, objectOf } from "../../model/fields.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";
import { topicNames } from "../../model/webhooks/topics.ts";
import type { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { shopParameter, type InJson } from "../../queries/columns.ts";

/** The limit of counting pending deliveries, so that a million cost no more. */
export const MAX_WAITING_COUNTED = 10_000;

/** An endpoint that only failed for this long, in enough attempts, is disabled. Milliseconds. */
export const FAILING_LIMIT = 5 * 86_400_000;

/** Consecutive failures of a topic that open the circuit, and suspend the topic while it is open. */
export const FAILURES_TO_SUSPEND = 10;

/** SQL: the topics that are suspended while the circuit of an endpoint is open. */
export const suspendedTopics = `array(
  select key from jsonb_each_text(failing_topics) where value::int >= ${FAILURES_TO_SUSPEND})`;

export const HealthStatus = enumType("WebhookHealthStatus", "The health of a webhook endpoint.", {
  HEALTHY: "The last attempt succeeded, or there were no attempts yet.",
  FAILING: "Attempts have failed since the last success. Deliveries are still sent.",
  SUSPENDED:
    "Ten attempts in a row failed. Deliveries of failing topics wait. One delivery of each is sent as a probe, to check whether it has recovered. Other topics are sent.",
  DISABLED: "Nothing is sent except test events.",
});
export type HealthStatus = keyof typeof HealthStatus;

const DisabledReason = enumType("WebhookDisabledReason", "The reason why an endpoint was disabled.", {
  GONE: "The receiver responded with 410 Gone.",
  FAILING: "All attempts in five days failed: at least ten, each within a day of the previous one.",
});

@ObjectType("WebhookFailingTopic", { description: "A topic whose deliveries fail.", simpleResolvers: true })
class FailingTopic extends objectOf({
  topic: field(String, "The topic, such as product.updated."),
  failures: field(Int, "The number of failed attempts since its last success."),
}) {}

@ObjectType("WebhookEndpointHealth", {
  description: "The health of a webhook endpoint. Does not include whether it is paused.",
  simpleResolvers: true,
})
export class EndpointHealth extends objectOf({
  status: field(HealthStatus, "The health status."),
  consecutiveFailures: field(
    Int,
    "The number of failed attempts since the last success, or since a day without attempts.",
  ),
  failingSince: nullable(TimestampScalar, "When the first of these attempts failed. Null if there are none."),
  failingTopics: field([FailingTopic], "The failures by topic, most first. Empty if the endpoint is healthy."),
  nextProbeAt: nullable(TimestampScalar, "The earliest time of the next probe. Null unless the endpoint is suspended."),
  disablesAt: nullable(
    TimestampScalar,
    "The earliest time when the endpoint is disabled if no attempt succeeds, of any topic. Null if it is healthy or already disabled.",
  ),
  disabledAt: nullable(TimestampScalar, "When the endpoint was disabled. Null if it is not disabled."),
  disabledReason: nullable(DisabledReason, "The reason why the endpoint was disabled. Null if it is not disabled."),
  waitingDeliveries: field(Int, `The number of deliveries that wait to be sent. Counted up to ${MAX_WAITING_COUNTED}.`),
}) {
  shopId!: string;
  id!: string;
}

export const healthProperties = [
  "shopId",
  "id",
  "consecutiveFailures",
  "failingSince",
  "failingTopics",
  "answeredAt",
  "probeAt",
  "disabledAt",
  "disabledReason",
] as const;

type HealthRow = Pick<WebhookEndpoint, (typeof healthProperties)[number]> & { waitingDeliveries: number };

/** The health of an endpoint that was read for the field. */
export function healthOf({ probeAt, failingTopics, answeredAt, ...row }: InJson<HealthRow>): InJson<EndpointHealth> {
  const { failingSince } = row;
  const status = statusOf({ probeAt, ...row });
  const isDisabled = status === HealthStatus.DISABLED;
  const topics = Object.entries(failingTopics).map(([topic, failures]) => ({ topic, failures }));
  return {
    ...row,
    status,
    nextProbeAt: isDisabled ? null : probeAt,
    disablesAt: isDisabled || !failingSince ? null : disablesAt({ failingSince, answeredAt }),
    failingTopics: topics.toSorted((left, right) => right.failures - left.failures),
  };
}

/** The status of an endpoint's health. */
export function statusOf({
  disabledReason,
  probeAt,
  consecutiveFailures,
}: Pick<InJson<HealthRow>, "disabledReason" | "probeAt" | "consecutiveFailures">): HealthStatus {
  if (disabledReason) return HealthStatus.DISABLED;
  if (probeAt) return HealthStatus.SUSPENDED;
  return consecutiveFailures > 0 ? HealthStatus.FAILING : HealthStatus.HEALTHY;
}

/** SQL: the number of pending deliveries of an endpoint, up to the limit. */
export const waitingDeliveries = sql<number>`(select count(*)::int from (
  select from outstanding_deliveries where shop_id = ${shopParameter} and endpoint_id = webhook_endpoints.id
    and topic = any(${sql.lit(`{${topicNames.join(",")}}`)}) and status = ${sql.lit(DeliveryStatus.PENDING)}
  limit ${sql.lit(MAX_WAITING_COUNTED)}) counted)`;

/** SQL: when the oldest due delivery of an endpoint became due. Null if none is due. */
export const oldestDueAt = sql<Date | null>`(
  select min(next_attempt_at) from outstanding_deliveries where shop_id = ${shopParameter}
    and endpoint_id = webhook_endpoints.id and status = ${sql.lit(DeliveryStatus.PENDING)} and next_attempt_at <= now())`;

/** Since when an endpoint has answered no topic. Both times are dates, or text of the same form. */
export function silentSince<Time extends Date | string>(health: { failingSince: Time; answeredAt: Time | null }): Time {
  const { failingSince, answeredAt } = health;
  return answeredAt && answeredAt > failingSince ? answeredAt : failingSince;
}

/** When an endpoint that keeps failing will be disabled. */
export function disablesAt({ failingSince, answeredAt }: InJson<Pick<HealthRow, "failingSince" | "answeredAt">>): Date {
  return new Date(new Date(silentSince({ failingSince: failingSince!, answeredAt })).getTime() + FAILING_LIMIT);
}
