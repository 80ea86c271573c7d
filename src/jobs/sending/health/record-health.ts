import { isDeepStrictEqual } from "node:util";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { system } from "../../../core/access/actor.ts";
import { AuditAction } from "../../../core/model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../../core/audit/record-audit.ts";
import { kysely, prepared } from "../../../core/queries/database.ts";
import { recordNotices } from "../../../core/notifications/record-notices.sql.ts";
import { HealthStatus, statusOf } from "../../../core/webhooks/health/endpoint-health.ts";
import { withoutQuery } from "../../../core/webhooks/endpoints/target-url.ts";
import type { AttemptResult } from "../attempt-delivery.ts";
import { afterFailure, afterSuccess, healthy, type Health } from "./circuit-breaker.ts";
import { disablesAt, healthNotices } from "./health-notices.ts";

/** A change in an endpoint's health, as logged for operators. */
export interface HealthChange {
  shopId: string;
  endpointId: string;
  from: HealthStatus;
  to: HealthStatus;
  /** Consecutive failures before the change. */
  failures: number;
  failingSince: Date | null;
}

interface RecordedHealth {
  /** Null when the health is unchanged. */
  change: HealthChange | null;
  /** When the next probe is due. Null when there is none, or nothing has changed. */
  probeAt: Date | null;
}

/**
 * Updates an endpoint's health from attempts in their order. It adds audit entries when the endpoint has failed for a
 * day, is disabled or is enabled. Mails go out earlier, and also for `usedUp` deliveries that failed for good.
 */
export async function recordHealth(
  em: EntityManager,
  results: readonly AttemptResult[],
  usedUp: number,
): Promise<RecordedHealth> {
  const nothing = { change: null, probeAt: null };
  if (!results.some((result) => affectsHealth(result))) return nothing;
  const { shopId, endpointId } = results[0]!.delivery;
  const [known] = await prepared(kysely(em), "lock health", { shopId, endpointId }, (given) =>
    kysely(em)
      .selectFrom("webhook_endpoints")
      .select(["url", "consecutive_failures as consecutiveFailures", "failing_since as failingSince"])
      .select(["last_failed_at as lastFailedAt", "probe_at as probeAt", "failed_probes as failedProbes"])
      .select(["failing_topics as failingTopics", "answered_at as answeredAt"])
      .select(["warned_at as warnedAt", "disabled_reason as disabledReason"])
      .select(sql<Date>`clock_timestamp()`.as("now"))
      .where("shop_id", "=", given.shopId)
      .where("id", "=", given.endpointId)
      .forNoKeyUpdate(),
  );
  if (!known) return nothing;
  const { url, now, ...before } = known;
  const after = results.reduce((health, result) => healthAfter(health, result, now), before);
  if (isDeepStrictEqual(before, after)) return nothing;
  await writeHealth(em, { shopId, endpointId }, after, now);
  const target = { id: endpointId, name: withoutQuery(url) };
  for (const entry of auditEntries(before, after))
    await recordAudit({ em, shop: { id: shopId }, actor: system }, { target, ...entry });
  const notices = healthNotices({ before, after, usedUp }, target);
  if (notices.length > 0) await recordNotices(em, shopId, notices);
  const [from, to] = [statusOf(before), statusOf(after)];
  // A success has reset the failures that it ended.
  const { consecutiveFailures: failures, failingSince } = to === HealthStatus.HEALTHY ? before : after;
  const change = from === to ? null : { shopId, endpointId, from, to, failures, failingSince };
  return { change, probeAt: after.disabledReason ? null : after.probeAt };
}

/** Returns false for a success at a healthy endpoint, and for a failed test. */
export function affectsHealth({ delivery, outcome }: AttemptResult): boolean {
  return outcome.errorClass === null ? delivery.isTest || delivery.isFailing : !delivery.isTest;
}

/**
 * The health after an attempt. A successful test makes an endpoint healthy, and enables it; failures add up to an open
 * circuit.
 */
function healthAfter(health: Health, { delivery, outcome }: AttemptResult, now: Date): Health {
  const { topic, isProbe, isTest } = delivery;
  if (outcome.errorClass === null) return isTest ? healthy : afterSuccess(health, topic, now);
  return isTest ? health : afterFailure(health, { topic, isProbe, isGone: outcome.status === 410, now });
}

async function writeHealth(
  em: EntityManager,
  { shopId, endpointId }: { shopId: string; endpointId: string },
  health: Health,
  now: Date,
): Promise<void> {
  const { disabledReason } = health;
  await kysely(em)
    .updateTable("webhook_endpoints")
    .set({
      consecutive_failures: health.consecutiveFailures,
      failing_since: health.failingSince,
      last_failed_at: health.lastFailedAt,
      failing_topics: JSON.stringify(health.failingTopics) as never,
      answered_at: health.answeredAt,
      probe_at: health.probeAt,
      failed_probes: health.failedProbes,
      warned_at: health.warnedAt,
      disabled_reason: disabledReason,
      disabled_at: disabledReason === null ? null : sql`coalesce(disabled_at, ${now})`,
    })
    .where("shop_id", "=", shopId)
    .where("id", "=", endpointId)
    .execute();
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
