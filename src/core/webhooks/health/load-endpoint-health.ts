import type { Kysely } from "kysely";
import { AppError } from "../../model/errors.ts";
import { runStatement } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import { idIn, type RowKey } from "../../queries/row-key.ts";
import { HealthStatus, MAX_WAITING_COUNTED, type EndpointHealth } from "./endpoint-health.ts";
import { FAILING_LIMIT } from "./failing-limit.ts";
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
  "shopId" | "id" | "consecutiveFailures" | "failingSince" | "probeAt" | "disabledAt" | "disabledReason"
>;

function healthOf({ probeAt, ...row }: HealthRow): EndpointHealth {
  const status = statusOf({ probeAt, ...row });
  const isDisabled = status === HealthStatus.DISABLED;
  return {
    ...row,
    status,
    nextProbeAt: isDisabled ? null : probeAt,
    disablesAt: isDisabled || !row.failingSince ? null : new Date(row.failingSince.getTime() + FAILING_LIMIT),
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
  const rows = await runStatement<{ id: string; waiting: number }>(
    database,
    `select asked.id, (select count(*)::int from (
      select from outstanding_deliveries
      where shop_id = $1 and endpoint_id = asked.id and topic = any($3) and status = 'PENDING'
      limit ${MAX_WAITING_COUNTED}
    ) counted) as waiting from unnest($2::text[]) as asked (id)`,
    [endpoints[0]!.shopId, endpoints.map(({ id }) => id), topicNames],
  );
  const byId = new Map(rows.map(({ id, waiting }) => [id, waiting]));
  return endpoints.map(({ id }) => byId.get(id) ?? 0);
}
