import { setTimeout as wait } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely } from "../../../core/queries/database.ts";
import { HealthStatus } from "../../../core/webhooks/health/endpoint-health.ts";
import { loadWebhookFigures } from "../../../core/webhooks/health/load-webhook-figures.sql.ts";
import { isDatabaseUnavailable } from "../../../platform/errors.ts";
import type { Logger } from "../../../platform/telemetry/logger.ts";
import { memoizeFor } from "../../../platform/memoize.ts";
import type { Metrics } from "../../../platform/telemetry/metrics.ts";

/** How long figures from the database are cached, and how long a scrape waits for them. Milliseconds. */
const FRESH = 5_000;
const PATIENCE = 2_000;

/** Health states in which due deliveries are sent at once. */
const SENT_TO = [HealthStatus.HEALTHY, HealthStatus.FAILING];

/**
 * Exposes figures about webhooks from the database, the same in every worker. They are read at most every five seconds,
 * and never twice at once. Figures that take too long are missing from the scrape.
 */
export function watchWebhooks(em: EntityManager, { metrics, logger }: { metrics: Metrics; logger: Logger }): void {
  const load = memoizeFor(FRESH, async () => {
    try {
      return await loadWebhookFigures(kysely(em));
    } catch (error) {
      if (!isDatabaseUnavailable(error)) logger.error({ err: error }, "webhook metrics cannot be read");
      return undefined;
    }
  });
  const figures = () => Promise.race([load(), wait(PATIENCE, undefined, { ref: false })]);
  for (const health of SENT_TO) {
    const help = "Age of the oldest due webhook delivery in the database, by the health of its endpoint.";
    const age = async () => (await figures())?.oldestDue[health];
    metrics.gauge("webhook_oldest_due_seconds", help, age, { health });
  }
  const snapshot = "Age of the oldest transaction that keeps PostgreSQL from removing dead rows.";
  metrics.gauge("database_oldest_snapshot_seconds", snapshot, async () => (await figures())?.oldestSnapshot);
  for (const health of Object.values(HealthStatus)) {
    const count = async () => (await figures())?.endpoints[health];
    metrics.gauge("webhook_endpoints", "Webhook endpoints in the database, by health.", count, { health });
  }
}
