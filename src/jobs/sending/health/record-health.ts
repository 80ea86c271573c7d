import { isDeepStrictEqual } from "node:util";
import type { EntityManager } from "@mikro-orm/postgresql";
import { system } from "../../../core/access/author.ts";
import { AuditAction } from "../../../core/model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../../core/audit/record-audit.ts";
import { kysely, runStatement } from "../../../core/queries/database.ts";
import { recordNotices } from "../../../core/notifications/record-notices.ts";
import { HealthStatus } from "../../../core/webhooks/health/endpoint-health.ts";
import { statusOf } from "../../../core/webhooks/health/load-endpoint-health.ts";
import { withoutQuery } from "../../../core/webhooks/endpoints/target-url.ts";
import type { AttemptResult } from "../attempt-delivery.ts";
import { afterFailure, healthy, type Health } from "./circuit-breaker.ts";
import { disablesAt, healthNotices } from "./health-notices.ts";

/** A change in an endpoint's health, for whoever runs the service. */
export interface HealthChange {
  shopId: string;
  endpointId: string;
  from: HealthStatus;
  to: HealthStatus;
  /** Failed attempts in a row: those that led to it, or that it is over. */
  failures: number;
  failingSince: Date | null;
}

interface RecordedHealth {
  /** Null while its health stays as it was. */
  change: HealthChange | null;
  /** The moment of the next probe; null when there is none, or nothing has changed. */
  probeAt: Date | null;
}

/**
 * Writes down what attempts at one endpoint, in their order, say of its health, and tells staff in the audit log when
 * it has failed for a day, is disabled or is enabled. By mail they hear sooner, and of `usedUp` deliveries that failed for
 * good with the last of their attempts.
 */
export async function recordHealth(
  em: EntityManager,
  results: readonly AttemptResult[],
  usedUp: number,
): Promise<RecordedHealth> {
  const nothing = { change: null, probeAt: null };
  if (!results.some((result) => affectsHealth(result))) return nothing;
  const { shopId, endpointId } = results[0]!.delivery;
  const [known] = await runStatement<Health & { url: string; now: Date }>(
    kysely(em),
    `select url, consecutive_failures as "consecutiveFailures", failing_since as "failingSince",
      last_failed_at as "lastFailedAt", probe_at as "probeAt",
      failed_probes as "failedProbes", warned_at as "warnedAt", disabled_reason as "disabledReason", clock_timestamp() as now
    from webhook_endpoints where shop_id = $1 and id = $2 for no key update`,
    [shopId, endpointId],
  );
  if (!known) return nothing;
  const { url, now, ...before } = known;
  const after = results.reduce((health, result) => healthAfter(health, result, now), before);
  if (isDeepStrictEqual(before, after)) return nothing;
  await writeHealth(em, { shopId, endpointId }, after, now);
  const target = { id: endpointId, name: withoutQuery(url) };
  for (const entry of auditEntries(before, after))
    await recordAudit({ em, shop: { id: shopId }, author: system }, { target, ...entry });
  const notices = healthNotices({ before, after, usedUp }, target);
  if (notices.length > 0) await recordNotices(em, shopId, notices);
  const [from, to] = [statusOf(before), statusOf(after)];
  // A success has forgotten what it ended.
  const { consecutiveFailures: failures, failingSince } = to === HealthStatus.HEALTHY ? before : after;
  const change = from === to ? null : { shopId, endpointId, from, to, failures, failingSince };
  return { change, probeAt: after.disabledReason ? null : after.probeAt };
}

/** A success at an endpoint that was well says nothing new, nor does a test that failed. */
export function affectsHealth({ delivery, outcome }: AttemptResult): boolean {
  return outcome.errorClass === null ? delivery.isTest || delivery.isFailing : !delivery.isTest;
}

/** A success makes an endpoint healthy, and enables it when it was a test; failures count up to an open circuit. */
function healthAfter(health: Health, { delivery, outcome }: AttemptResult, now: Date): Health {
  if (outcome.errorClass === null) {
    return { ...healthy, disabledReason: delivery.isTest ? null : health.disabledReason };
  }
  if (delivery.isTest) return health;
  return afterFailure(health, { isProbe: delivery.isProbe, isGone: outcome.status === 410, now });
}

async function writeHealth(
  em: EntityManager,
  { shopId, endpointId }: { shopId: string; endpointId: string },
  health: Health,
  now: Date,
): Promise<void> {
  const { consecutiveFailures, failingSince, lastFailedAt, probeAt, failedProbes, warnedAt, disabledReason } = health;
  await runStatement(
    kysely(em),
    `update webhook_endpoints set consecutive_failures = $3, failing_since = $4, probe_at = $5, failed_probes = $6,
      warned_at = $7, disabled_reason = $8::text, last_failed_at = $10,
      disabled_at = case when $8::text is null then null else coalesce(disabled_at, $9) end
    where shop_id = $1 and id = $2`,
    [
      shopId,
      endpointId,
      consecutiveFailures,
      failingSince,
      probeAt,
      failedProbes,
      warnedAt,
      disabledReason,
      now,
      lastFailedAt,
    ],
  );
}

function auditEntries(before: Health, after: Health): { action: AuditAction; details: Record<string, string> }[] {
  const entries = [];
  if (!before.warnedAt && after.warnedAt) {
    const failingSince = after.failingSince!.toISOString();
    const details = { failingSince, disablesAt: disablesAt(after).toISOString() };
    entries.push({ action: AuditAction.WEBHOOK_ENDPOINT_FAILING, details });
  }
  if (!before.disabledReason && after.disabledReason) {
    entries.push({ action: AuditAction.WEBHOOK_ENDPOINT_DISABLED, details: { reason: after.disabledReason } });
  }
  if (before.disabledReason && !after.disabledReason) {
    entries.push({ action: AuditAction.WEBHOOK_ENDPOINT_ENABLED, details: {} });
  }
  return entries;
}
