import type { Kysely } from "kysely";
import type { Database } from "../../../core/model/tables.ts";
import { HealthStatus } from "../../../core/webhooks/health/endpoint-health.ts";
import { loadWaitingDeliveries } from "../../../core/webhooks/health/load-endpoint-health.ts";
import type { Logger } from "../../../platform/telemetry/logger.ts";
import type { HealthChange } from "./record-health.ts";

const serious = new Set<HealthStatus>([HealthStatus.SUSPENDED, HealthStatus.DISABLED]);

/** Logs a change in an endpoint's health. */
export async function logHealth(logger: Logger, database: Kysely<Database>, change: HealthChange): Promise<void> {
  const endpoint = { shopId: change.shopId, id: change.endpointId };
  // The change is recorded already, so it is logged even without the number.
  const [waiting] = await loadWaitingDeliveries(database, [endpoint]).catch(() => []);
  const level = serious.has(change.to) ? "warn" : "info";
  logger[level]({ ...change, waiting }, "a webhook endpoint's health changed");
}
