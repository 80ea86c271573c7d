import type { EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../platform/ids.ts";
import { projections, runStatement } from "../core/database.ts";
import { DeliveryStatus } from "../core/webhooks/event.entity.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { afterFailures, type Health } from "./circuit-breaker.ts";
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

/** Writes down what came of attempts, all in one transaction: the log, the deliveries, and the endpoints' health. */
export async function recordAttempts(em: EntityManager, results: readonly AttemptResult[]): Promise<void> {
  const now = new Date();
  await em.transactional(async (transaction) => {
    const database = projections(transaction);
    await runStatement(database, statement, [JSON.stringify(results.map((result) => toRow(result, now)))]);
    const endpoints = Map.groupBy(results, ({ delivery }) => delivery.endpointId);
    // In one order, so that two workers do not wait for each other.
    for (const [, group] of [...endpoints].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      await recordHealth(transaction, group, now);
    }
  });
}

function toRow({ delivery, startedAt, outcome }: AttemptResult, now: Date) {
  const { status, errorClass, error, responseBody, retryAfter, timings } = outcome;
  const counted = delivery.isProbe && errorClass !== null ? 0 : 1;
  const attempts = delivery.attempts + counted;
  const isGone = status === 410;
  const next =
    errorClass === null || isGone ? undefined : counted === 0 ? now : nextAttemptAt({ attempts, now, retryAfter });
  const failed = next ? DeliveryStatus.PENDING : DeliveryStatus.FAILED;
  return {
    shop_id: delivery.shopId,
    delivery_id: delivery.id,
    worker: delivery.worker,
    before: delivery.attempts,
    counted,
    status: errorClass === null ? DeliveryStatus.SUCCEEDED : failed,
    attempt_id: newId("att"),
    is_probe: delivery.isProbe,
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

/** A success makes an endpoint healthy; failures count up to an open circuit. */
async function recordHealth(em: EntityManager, results: readonly AttemptResult[], now: Date): Promise<void> {
  const { shopId, endpointId } = results[0]!.delivery;
  const database = projections(em);
  const lastSuccess = results.findLastIndex(({ outcome }) => outcome.errorClass === null);
  const failures = results.slice(lastSuccess + 1);
  if (lastSuccess >= 0 && (failures.length > 0 || results.some(({ delivery }) => delivery.isFailing))) {
    await runStatement(
      database,
      `update webhook_endpoints set consecutive_failures = 0, failing_since = null, probe_at = null, failed_probes = 0
      where shop_id = $1 and id = $2 and consecutive_failures > 0`,
      [shopId, endpointId],
    );
  }
  if (failures.length === 0) return;
  const [health] = await runStatement<Health>(
    database,
    `select consecutive_failures as "consecutiveFailures", failing_since as "failingSince", probe_at as "probeAt",
      failed_probes as "failedProbes", disabled_reason as "disabledReason"
    from webhook_endpoints where shop_id = $1 and id = $2 for no key update`,
    [shopId, endpointId],
  );
  if (!health) return;
  const after = afterFailures(health, {
    count: failures.length,
    isProbe: failures.some(({ delivery }) => delivery.isProbe),
    isGone: failures.some(({ outcome }) => outcome.status === 410),
    now,
  });
  await runStatement(
    database,
    `update webhook_endpoints set consecutive_failures = $3, failing_since = $4, probe_at = $5, failed_probes = $6,
      disabled_reason = $7::text, disabled_at = case when $7::text is null then null else coalesce(disabled_at, $8) end
    where shop_id = $1 and id = $2`,
    [
      shopId,
      endpointId,
      after.consecutiveFailures,
      after.failingSince,
      after.probeAt,
      after.failedProbes,
      after.disabledReason,
      now,
    ],
  );
}
