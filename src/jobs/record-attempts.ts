import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { projections, runStatement, type Database } from "../core/database.ts";
import { missedErrors } from "../core/webhooks/error-class.ts";
import { DeliveryStatus } from "../core/webhooks/event.entity.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { goByIndex } from "./by-index.ts";
import { recordHealth, saysSomething, type HealthChange } from "./record-health.ts";
import { retryDelay } from "./retry-schedule.ts";

/** A result, and what it means for its delivery. */
interface Verdict extends AttemptResult {
  isProbe: boolean;
  /** How long until the next attempt, in milliseconds; undefined when there is none. */
  delay: number | undefined;
}

const columns: Record<string, [type: string, valueOf: (verdict: Verdict) => unknown]> = {
  shop_id: ["text", ({ delivery }) => delivery.shopId],
  delivery_id: ["text", ({ delivery }) => delivery.id],
  before: ["int", ({ delivery }) => delivery.attempts],
  delay: ["float8", ({ delay }) => delay],
  attempt_id: ["text", ({ id }) => id],
  is_probe: ["boolean", ({ isProbe }) => isProbe],
  started_at: ["timestamptz", ({ startedAt }) => startedAt.toISOString()],
  response_status: ["int", ({ outcome }) => outcome.status],
  error_class: ["text", ({ outcome }) => outcome.errorClass],
  error: ["text", ({ outcome }) => outcome.error],
  response_body: ["text", ({ outcome }) => outcome.responseBody],
  dns_ms: ["real", ({ outcome }) => outcome.timings.dns],
  connect_ms: ["real", ({ outcome }) => outcome.timings.connect],
  tls_ms: ["real", ({ outcome }) => outcome.timings.tls],
  first_byte_ms: ["real", ({ outcome }) => outcome.timings.firstByte],
  total_ms: ["real", ({ outcome }) => outcome.timings.total],
};
const entries = Object.entries(columns);

const missedClasses = Object.keys(missedErrors)
  .map((errorClass) => `'${errorClass}'`)
  .join(", ");

// A worker that was cut off may not be the only one that attempted it: what was written down first stays. What was under
// way when its endpoint was disabled, or the plan ended, did not miss it. (Both the array and the `case` are for the planner, which believes
// that little is outstanding until a burst is noticed: it would begin with all of that, and look for each in the results.)
const isAwaited = `outstanding_deliveries.shop_id = result.shop_id
  and outstanding_deliveries.id = any(array[delivery_id])
  and case when attempts = before
    then status = 'PENDING' or outstanding_deliveries.error_class in (${missedClasses}) else false end`;

// An array for each column: PostgreSQL takes them apart in half the time of JSON.
const statement = `
  with told as (
    select * from unnest(${entries.map(([, [type]], index) => `$${index + 1}::${type}[]`).join(", ")})
    as told (${entries.map(([name]) => name).join(", ")})
  ), result as (
    -- A probe that failed is not counted.
    select *, before + case when is_probe and error_class is not null then 0 else 1 end as number,
      now() + delay * interval '1 millisecond' as next_attempt_at
    from told
  ), logged as (
    insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, response_status, error_class,
      error, response_body, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
    select shop_id, attempt_id, delivery_id, number, is_probe, started_at, response_status, error_class,
      error, response_body, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms from result
  ), succeeded as (
    delete from outstanding_deliveries using result where result.error_class is null and ${isAwaited}
  )
  update outstanding_deliveries set
    status = case when result.next_attempt_at is null then '${DeliveryStatus.FAILED}' else '${DeliveryStatus.PENDING}' end,
    attempts = number, response_status = result.response_status, error_class = result.error_class, error = result.error,
    attempted_at = result.started_at, next_attempt_at = result.next_attempt_at
  from result where result.error_class is not null and ${isAwaited}`;

export interface RecordingDatabases {
  em: EntityManager;
  /** By `openByIndex`: for what needs no transaction, which is almost everything. */
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
  try {
    // The most frequent of all: a statement, which needs no transaction around it.
    if (!results.some((result) => saysSomething(result))) {
      await writeResults(byIndex, results);
      return [];
    }
    return await em.transactional((transaction) => recordAll(transaction, results));
  } catch (error) {
    // All of it was written down before, when the answer to that was lost.
    if ((error as { constraint?: string }).constraint === "delivery_attempts_pkey") return [];
    throw error;
  }
}

async function recordAll(em: EntityManager, results: readonly AttemptResult[]): Promise<HealthChange[]> {
  const database = projections(em);
  await goByIndex(database);
  await writeResults(database, results);
  const endpoints = Map.groupBy(results, ({ delivery }) => delivery.endpointId);
  const changes: HealthChange[] = [];
  // In one order, so that two workers do not wait for each other.
  for (const [, group] of [...endpoints].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    changes.push(...(await recordHealth(em, group)));
  }
  return changes;
}

async function writeResults(database: Kysely<Database>, results: readonly AttemptResult[]): Promise<void> {
  const verdicts = results.map((result) => judge(result));
  const values = entries.map(([, [, valueOf]]) => {
    const column = verdicts.map((verdict) => valueOf(verdict));
    // To PostgreSQL an array that is too short ends in NULLs.
    return column.every((value) => value == null) ? [] : column;
  });
  await runStatement(database, statement, values);
}

function judge(result: AttemptResult): Verdict {
  const { delivery, outcome, startedAt } = result;
  const { status, errorClass, retryAfter } = outcome;
  const isProbe = delivery.isProbe && !delivery.isTest;
  const isOver = errorClass === null || status === 410 || delivery.isTest;
  const attempts = delivery.attempts + 1;
  const now = new Date(startedAt.getTime() + outcome.timings.total);
  const delay = isOver ? undefined : isProbe ? 0 : retryDelay({ attempts, now, retryAfter });
  return { ...result, isProbe, delay };
}
