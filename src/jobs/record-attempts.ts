import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { PLANNED_EACH_TIME } from "../platform/preparing-driver.ts";
import { projections, runStatement, type Database } from "../core/database.ts";
import { ErrorClass } from "../core/webhooks/error-class.ts";
import { DeliveryStatus } from "../core/webhooks/event.entity.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { recordHealth, saysSomething, type HealthChange } from "./record-health.ts";
import { nextAttemptAt } from "./retry-schedule.ts";

const columns = {
  shop_id: "text",
  delivery_id: "text",
  before: "int",
  counted: "int",
  status: "text",
  attempt_id: "text",
  is_probe: "boolean",
  started_at: "timestamptz",
  response_status: "int",
  error_class: "text",
  error: "text",
  response_body: "text",
  dns_ms: "real",
  connect_ms: "real",
  tls_ms: "real",
  first_byte_ms: "real",
  total_ms: "real",
  next_attempt_at: "timestamptz",
};
const names = Object.keys(columns) as (keyof typeof columns)[];

// An array for each column: PostgreSQL takes them apart in half the time of JSON.
const statement = `
  with result as (
    select * from unnest(${names.map((name, index) => `$${index + 1}::${columns[name]}[]`).join(", ")})
    as result (${names.join(", ")})
  ), logged as (
    insert into delivery_attempts (shop_id, id, delivery_id, is_probe, started_at, response_status, error_class, error,
      response_body, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
    select shop_id, attempt_id, delivery_id, is_probe, started_at, response_status, error_class, error,
      response_body, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms from result
    -- Written down before, when the answer to that was lost.
    on conflict do nothing
    returning id
  ), changed as (
    update deliveries set status = result.status, attempts = result.before + result.counted,
      response_status = result.response_status, error_class = result.error_class, error = result.error,
      attempted_at = result.started_at, next_attempt_at = result.next_attempt_at
    from result
    -- A worker that was cut off may not be the only one that attempted it: what was written down first stays.
    where deliveries.shop_id = result.shop_id and deliveries.id = delivery_id
      -- What was under way when its endpoint was disabled did not miss it. (A planner that saw the conditions by
      -- themselves would begin with all that is pending, of which it believes that there is little.)
      and case when attempts = result.before
        then deliveries.status = 'PENDING' or deliveries.error_class = '${ErrorClass.ENDPOINT_DISABLED}' else false end
  )
  select id from logged`;

export interface RecordingDatabases {
  em: EntityManager;
  /** For most of it. */
  byIndex: Kysely<Database>;
}

/**
 * Writes down what came of attempts, all of it or nothing: the log, the deliveries, and the endpoints' health. Tells
 * what became of endpoints.
 */
export async function recordAttempts(
  { em, byIndex }: RecordingDatabases,
  results: readonly AttemptResult[],
): Promise<HealthChange[]> {
  const now = new Date();
  // The most frequent of all: a statement, which needs no transaction around it.
  if (!results.some((result) => saysSomething(result))) {
    await writeResults(byIndex, statement, results, now);
    return [];
  }
  return em.transactional(async (transaction) => {
    const logged = await writeResults(projections(transaction), PLANNED_EACH_TIME + statement, results, now);
    const news = results.filter(({ id }) => logged.has(id));
    const endpoints = Map.groupBy(news, ({ delivery }) => delivery.endpointId);
    const changes: HealthChange[] = [];
    // In one order, so that two workers do not wait for each other.
    for (const [, group] of [...endpoints].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      changes.push(...(await recordHealth(transaction, group, now)));
    }
    return changes;
  });
}

/** The identifiers of those that had not been written before. */
async function writeResults(
  database: Kysely<Database>,
  text: string,
  results: readonly AttemptResult[],
  now: Date,
): Promise<Set<string>> {
  const rows = results.map((result) => toRow(result, now));
  const values = names.map((name) => rows.map((row) => row[name]));
  const logged = await runStatement<{ id: string }>(database, text, values);
  return new Set(logged.map(({ id }) => id));
}

function toRow({ id, delivery, startedAt, outcome }: AttemptResult, now: Date): Record<keyof typeof columns, unknown> {
  const { status, errorClass, error, responseBody, retryAfter, timings } = outcome;
  const isProbe = delivery.isProbe && !delivery.isTest;
  const counted = isProbe && errorClass !== null ? 0 : 1;
  const attempts = delivery.attempts + counted;
  const isOver = errorClass === null || status === 410 || delivery.isTest;
  const next = isOver ? undefined : counted === 0 ? now : nextAttemptAt({ attempts, now, retryAfter });
  const failed = next ? DeliveryStatus.PENDING : DeliveryStatus.FAILED;
  return {
    shop_id: delivery.shopId,
    delivery_id: delivery.id,
    before: delivery.attempts,
    counted,
    status: errorClass === null ? DeliveryStatus.SUCCEEDED : failed,
    attempt_id: id,
    is_probe: isProbe,
    started_at: startedAt.toISOString(),
    response_status: status,
    error_class: errorClass,
    error,
    response_body: responseBody,
    dns_ms: timings.dns,
    connect_ms: timings.connect,
    tls_ms: timings.tls,
    first_byte_ms: timings.firstByte,
    total_ms: timings.total,
    next_attempt_at: next?.toISOString() ?? null,
  };
}
