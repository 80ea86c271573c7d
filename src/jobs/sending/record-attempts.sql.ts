// Text, since one statement logs, counts and finishes a batch of attempts by their ids: with a join, 500 of 20,000 took
// 5 s.
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { kysely, query } from "../../core/queries/database.ts";
import { transactional } from "../../core/queries/transaction.ts";
import type { Database } from "../../core/model/tables.ts";
import { undeliverableErrors } from "../../core/model/webhooks/error-class.ts";
import { DeliveryStatus } from "../../core/model/webhooks/event.entity.ts";
import { sendAt } from "../../core/webhooks/jobs/send-jobs.sql.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { recordHealth, affectsHealth, type HealthChange } from "./health/record-health.ts";
import { retryDelay, retryGrid } from "./retry-schedule.ts";
import { histogramOf } from "../../core/webhooks/health/duration-histogram.ts";

/** A result and its meaning for the delivery. */
interface ClassifiedAttempt extends AttemptResult {
  isProbe: boolean;
  /** The wait before the next attempt, in milliseconds. Undefined when there is none. */
  delay: number | undefined;
  /** The interval to which the time of the next attempt is rounded up, in milliseconds. */
  grid: number;
}

const columns: Record<string, [type: string, of: (attempt: ClassifiedAttempt) => unknown]> = {
  delivery_id: ["text", ({ delivery }) => delivery.id],
  before: ["int", ({ delivery }) => delivery.attempts],
  delay: ["float8", ({ delay }) => delay],
  grid: ["float8", ({ grid }) => grid],
  attempt_id: ["text", ({ id }) => id],
  is_probe: ["boolean", ({ isProbe }) => isProbe],
  started_at: ["timestamptz", ({ startedAt }) => startedAt.toISOString()],
  response_status: ["int", ({ outcome }) => outcome.status],
  error_class: ["text", ({ outcome }) => outcome.errorClass],
  error: ["text", ({ outcome }) => outcome.error],
  response_body: ["text", ({ outcome }) => outcome.responseBody],
  request_headers: ["json", ({ requestHeaders }) => requestHeaders && JSON.stringify(requestHeaders)],
  response_headers: ["json", ({ outcome }) => outcome.responseHeaders && JSON.stringify(outcome.responseHeaders)],
  dns_ms: ["real", ({ outcome }) => outcome.timings.dns],
  connect_ms: ["real", ({ outcome }) => outcome.timings.connect],
  tls_ms: ["real", ({ outcome }) => outcome.timings.tls],
  first_byte_ms: ["real", ({ outcome }) => outcome.timings.firstByte],
  total_ms: ["real", ({ outcome }) => outcome.timings.total],
};
const entries = Object.entries(columns);

const undeliverableClasses = Object.keys(undeliverableErrors)
  .map((errorClass) => `'${errorClass}'`)
  .join(", ");

/** SQL: the parameter with a column of the results. */
const parameter = (name: string) => {
  const index = entries.findIndex(([known]) => known === name);
  return `$${index + 2}::${entries[index]![1][0]}[]`;
};
/** SQL: the value of that column for the row's delivery. */
const forRow = (name: string) =>
  `(${parameter(name)})[array_position(${parameter("delivery_id")}, outstanding_deliveries.id)]`;

// If a worker lost its lease, another may have attempted the same delivery: the first recorded result counts. An
// attempt that was running when its endpoint was disabled or the plan ended still counts. Ids are passed as an array:
// until PostgreSQL's statistics show a burst, the planner expects few outstanding rows, and a join would read all of
// them first. 500 of 20,000 took 5 s.
const isAwaited = `outstanding_deliveries.shop_id = $1
  and outstanding_deliveries.id = any(${parameter("delivery_id")})
  and case when outstanding_deliveries.attempts = ${forRow("before")}
    then status = 'PENDING' or outstanding_deliveries.error_class in (${undeliverableClasses}) else false end`;

/** SQL: adds counts, given as JSON, to the stored counts of endpoints. A deleted endpoint gets none. */
const addHours = (shopId: string, counts: string) => `
  insert into hourly_attempts as kept (shop_id, endpoint_id, hour, attempts, failures, durations)
  select ${shopId}, endpoint_id, hour, attempts, failures, durations
  from json_to_recordset(${counts}::json)
    as added (endpoint_id text, hour timestamptz, attempts int, failures int, durations int[])
  where exists (select from webhook_endpoints where shop_id = ${shopId} and id = endpoint_id)
  order by endpoint_id, hour
  on conflict (shop_id, hour, endpoint_id) do update set attempts = kept.attempts + excluded.attempts,
    failures = kept.failures + excluded.failures,
    durations = array(select old + more from unnest(kept.durations, excluded.durations) as bucket (old, more))`;

/**
 * SQL: the results. One array per column, which PostgreSQL unpacks in half the time of JSON. Not a WITH query, because
 * Citus would send its result to every node.
 */
const resultRows = `(
    -- A failed probe does not count.
    select *, before + case when is_probe and error_class is not null then 0 else 1 end as number,
      to_timestamp(ceil((extract(epoch from now())::float8 * 1000 + delay) / grid) * grid / 1000) as next_attempt_at
    from unnest(${entries.map(([name]) => parameter(name)).join(", ")}) as attempted (${entries.map(([name]) => name).join(", ")})
  ) result`;

const write = {
  name: "record attempts",
  text: `
  with logged as (
    insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, response_status, error_class,
      error, response_body, request_headers, response_headers, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
    select $1, attempt_id, delivery_id, number, is_probe, started_at, response_status, error_class,
      error, response_body, request_headers, response_headers, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms from ${resultRows}
  ), counted as (${addHours("$1", `$${entries.length + 2}`)}
  ), succeeded as (
    delete from outstanding_deliveries where ${forRow("error_class")} is null and ${isAwaited}
  )
  update outstanding_deliveries set
    status = case when delay is null then '${DeliveryStatus.FAILED}' else '${DeliveryStatus.PENDING}' end,
    attempts = number, response_status = result.response_status, error_class = result.error_class, error = result.error,
    attempted_at = result.started_at, next_attempt_at = result.next_attempt_at
  from ${resultRows}
  where result.error_class is not null and outstanding_deliveries.id = result.delivery_id and ${isAwaited}
  returning endpoint_id as "endpointId",
    case when not is_probe then outstanding_deliveries.next_attempt_at end as "nextAttemptAt",
    delay is null and not is_test and result.response_status is distinct from 410 as "isUsedUp"`,
};

/** A failed delivery. */
interface FailedDelivery {
  endpointId: string;
  /** When its next attempt is due. Null when there is none, or it waits for a probe. */
  nextAttemptAt: Date | null;
  /** True when its attempts are used up. */
  isUsedUp: boolean;
}

/**
 * Records the results of attempts at endpoints of one shop, all or none: the log, hourly counts, the deliveries, the
 * endpoints' health, and jobs for the next attempts. Returns the changes in health.
 */
export async function recordAttempts(
  em: EntityManager,
  shopId: string,
  results: readonly AttemptResult[],
): Promise<HealthChange[]> {
  try {
    // The most frequent case: a single statement needs no transaction.
    if (!results.some((result) => affectsHealth(result) || result.outcome.errorClass !== null)) {
      await writeResults(kysely(em), shopId, results);
      return [];
    }
    return await transactional(em, async (transaction) => {
      const failed = await writeResults(kysely(transaction), shopId, results);
      const usedUp = failed.filter(({ isUsedUp }) => isUsedUp).map(({ endpointId }) => endpointId);
      const { changes, probes } = await recordHealth(transaction, shopId, { results, usedUp });
      const retries = failed.map(({ endpointId, nextAttemptAt: runAt }) => ({ endpointId, runAt }));
      const moments = [...retries, ...probes].filter(({ runAt }) => runAt !== null);
      if (moments.length > 0) await sendAt(transaction, shopId, moments);
      return changes;
    });
  } catch (error) {
    // The results were recorded before, but the confirmation was lost. On a cluster, the key has the name of a shard.
    if (error instanceof Error && error.message.includes("delivery_attempts_pkey")) return [];
    throw error;
  }
}

async function writeResults(
  database: Kysely<Database>,
  shopId: string,
  results: readonly AttemptResult[],
): Promise<FailedDelivery[]> {
  const attempts = results.map((result) => classify(result));
  const values = entries.map(([, [, valueOf]]) => {
    const column = attempts.map((attempt) => valueOf(attempt));
    // PostgreSQL fills a shorter array with NULLs.
    return column.every((value) => value == null) ? [] : column;
  });
  return query(database, write, [shopId, ...values, JSON.stringify(countByHour(results))]);
}

/** Returns true when the attempt was the last of its delivery. */
export function isLast(result: AttemptResult): boolean {
  return classify(result).delay === undefined;
}

function classify(result: AttemptResult): ClassifiedAttempt {
  const { delivery, outcome, startedAt } = result;
  const { status, errorClass, retryAfter } = outcome;
  const isProbe = delivery.isProbe && !delivery.isTest;
  const isOver = errorClass === null || status === 410 || delivery.isTest;
  const attempts = delivery.attempts + 1;
  const now = new Date(startedAt.getTime() + outcome.timings.total);
  const delay = isOver ? undefined : isProbe ? 0 : retryDelay({ attempts, now, retryAfter });
  // The receiver's Retry-After is followed exactly.
  const grid = delay === undefined || retryAfter != null ? 1 : retryGrid(delay);
  return { ...result, isProbe, delay, grid };
}

const HOUR = 3_600_000;

/** Counts attempts by endpoint and the hour in which they started, for `addHours`. */
function countByHour(results: readonly AttemptResult[]) {
  const hourOf = ({ startedAt }: AttemptResult) => Math.floor(startedAt.getTime() / HOUR) * HOUR;
  const byHour = Map.groupBy(results, (result) => `${result.delivery.endpointId} ${hourOf(result)}`);
  return [...byHour.values()].map((group) => ({
    endpoint_id: group[0]!.delivery.endpointId,
    hour: new Date(hourOf(group[0]!)),
    attempts: group.length,
    failures: group.filter(({ outcome }) => outcome.errorClass !== null).length,
    durations: histogramOf(group.map(({ outcome }) => outcome.timings.total)),
  }));
}
