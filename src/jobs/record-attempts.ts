import type { EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../platform/ids.ts";
import { projections, runStatement } from "../core/database.ts";
import { DeliveryStatus } from "../core/webhooks/event.entity.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { recordHealth, type HealthChange } from "./record-health.ts";
import { nextAttemptAt } from "./retry-schedule.ts";

const statement = `
  with result as (
    select * from json_to_recordset($1) as result (
      shop_id text, delivery_id text, worker int, before int, counted int, status text, attempt_id text,
      is_probe boolean, started_at timestamptz, response_status int, error_class text, error text, response_body text,
      dns_ms real, connect_ms real, tls_ms real, first_byte_ms real, total_ms real, next_attempt_at timestamptz
    )
  ), known as (
    -- The lock keeps a delivery that is being deleted, with its endpoint, from failing all the others.
    select result.* from result join deliveries on deliveries.shop_id = result.shop_id and id = delivery_id
    for no key update of deliveries
  ), logged as (
    insert into delivery_attempts (shop_id, id, delivery_id, is_probe, started_at, response_status, error_class, error,
      response_body, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
    select shop_id, attempt_id, delivery_id, is_probe, started_at, response_status, error_class, error,
      response_body, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms from known
  )
  update deliveries set status = known.status, attempts = known.before + known.counted,
    response_status = known.response_status, error_class = known.error_class, error = known.error,
    attempted_at = known.started_at, next_attempt_at = known.next_attempt_at, leased_by = null
  from known
  -- Whoever found the lease without a worker may have attempted it since: what they wrote down stays.
  where deliveries.shop_id = known.shop_id and id = delivery_id and deliveries.status = 'PENDING'
    and attempts = known.before and coalesce(leased_by, known.worker) = known.worker`;

/**
 * Writes down what came of attempts, all in one transaction: the log, the deliveries, and the endpoints' health.
 * Tells what became of endpoints.
 */
export async function recordAttempts(em: EntityManager, results: readonly AttemptResult[]): Promise<HealthChange[]> {
  const now = new Date();
  return em.transactional(async (transaction) => {
    const database = projections(transaction);
    await runStatement(database, statement, [JSON.stringify(results.map((result) => toRow(result, now)))]);
    const endpoints = Map.groupBy(results, ({ delivery }) => delivery.endpointId);
    const changes: HealthChange[] = [];
    // In one order, so that two workers do not wait for each other.
    for (const [, group] of [...endpoints].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      changes.push(...(await recordHealth(transaction, group, now)));
    }
    return changes;
  });
}

function toRow({ delivery, startedAt, outcome }: AttemptResult, now: Date) {
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
    worker: delivery.worker,
    before: delivery.attempts,
    counted,
    status: errorClass === null ? DeliveryStatus.SUCCEEDED : failed,
    attempt_id: newId("att"),
    is_probe: isProbe,
    started_at: startedAt,
    response_status: status,
    error_class: errorClass,
    error,
    response_body: responseBody,
    dns_ms: timings.dns,
    connect_ms: timings.connect,
    tls_ms: timings.tls,
    first_byte_ms: timings.firstByte,
    total_ms: timings.total,
    next_attempt_at: next ?? null,
  };
}
