import { sql, type Kysely } from "kysely";
import { AppError } from "../../model/errors.ts";
import { anyOf } from "../../queries/columns.ts";
import type { Database } from "../../model/tables.ts";
import { asked, idIn, type RowKey } from "../../queries/row-key.ts";
import { HealthStatus, MAX_WAITING_COUNTED, type EndpointHealth } from "./endpoint-health.ts";
import { FAILING_LIMIT, silentSince } from "./failing-limit.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";
import { topicNames } from "../../model/webhooks/topics.ts";
import type { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";

/** Loads the health of endpoints of one shop. A recently deleted one is an error. */
export async function loadEndpointHealth(
  database: Kysely<Database>,
  endpoints: readonly RowKey[],
): Promise<(EndpointHealth | Error)[]> {
  const rows = await database
    .selectFrom("webhook_endpoints")
    .select([
      "shop_id as shopId",
      "id",
      "consecutive_failures as consecutiveFailures",
      "failing_since as failingSince",
      "failing_topics as failingTopics",
      "answered_at as answeredAt",
      "probe_at as probeAt",
      "disabled_at as disabledAt",
      "disabled_reason as disabledReason",
    ])
    .where("shop_id", "=", endpoints[0]!.shopId)
    .where("id", "=", idIn(endpoints))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, healthOf(row)]));
  return endpoints.map(({ id }) => byId.get(id) ?? new AppError("NOT_FOUND", "Webhook endpoint not found"));
}

type HealthRow = Pick<
  WebhookEndpoint,
  | "shopId"
  | "id"
  | "consecutiveFailures"
  | "failingSince"
  | "failingTopics"
  | "answeredAt"
  | "probeAt"
  | "disabledAt"
  | "disabledReason"
>;

function healthOf({ probeAt, failingTopics, answeredAt, ...row }: HealthRow): EndpointHealth {
  const { failingSince } = row;
  const status = statusOf({ probeAt, ...row });
  const isDisabled = status === HealthStatus.DISABLED;
  const limit = failingSince && new Date(silentSince({ failingSince, answeredAt }).getTime() + FAILING_LIMIT);
  const topics = Object.entries(failingTopics).map(([topic, failures]) => ({ topic, failures }));
  return {
    ...row,
    status,
    nextProbeAt: isDisabled ? null : probeAt,
    disablesAt: isDisabled ? null : limit,
    failingTopics: topics.toSorted((left, right) => right.failures - left.failures),
  };
}

/** The status of an endpoint's health. */
export function statusOf({
  disabledReason,
  probeAt,
  consecutiveFailures,
}: Pick<HealthRow, "disabledReason" | "probeAt" | "consecutiveFailures">): HealthStatus {
  if (disabledReason) return HealthStatus.DISABLED;
  if (probeAt) return HealthStatus.SUSPENDED;
  return consecutiveFailures > 0 ? HealthStatus.FAILING : HealthStatus.HEALTHY;
}

/** Counts the pending deliveries of endpoints of one shop, up to the limit. */
export async function loadWaitingDeliveries(
  database: Kysely<Database>,
  endpoints: readonly RowKey[],
): Promise<number[]> {
  const rows = await database
    .selectFrom(asked(endpoints))
    .crossJoinLateral((query) =>
      query
        .selectFrom((waiting) =>
          waiting
            .selectFrom("outstanding_deliveries")
            .select("id")
            .where("shop_id", "=", endpoints[0]!.shopId)
            .whereRef("endpoint_id", "=", "asked.id")
            .where("topic", "=", anyOf(topicNames))
            .where("status", "=", sql.lit(DeliveryStatus.PENDING))
            .limit(sql.lit(MAX_WAITING_COUNTED))
            .as("counted"),
        )
        .select(sql<number>`count(*)::int`.as("count"))
        .as("waiting"),
    )
    .select("waiting.count")
    .orderBy("asked.position")
    .execute();
  return rows.map(({ count }) => count);
}
