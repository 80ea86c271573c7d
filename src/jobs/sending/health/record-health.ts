import { isDeepStrictEqual } from "node:util";
import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { system } from "../../../core/access/actor.ts";
import { AuditAction } from "../../../core/model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../../core/audit/record-audit.ts";
import { WebhookEndpoint } from "../../../core/model/webhooks/webhook-endpoint.entity.ts";
import { kysely, prepared } from "../../../core/queries/database.ts";
import { recordNotices } from "../../../core/notifications/record-notices.sql.ts";
import { disablesAt, HealthStatus, statusOf } from "../../../core/webhooks/health/endpoint-health.ts";
import type { Moment } from "../../../core/webhooks/jobs/send-jobs.sql.ts";
import { withoutQuery } from "../../../core/webhooks/endpoints/target-url.ts";
import type { AttemptResult } from "../attempt-delivery.ts";
import { askedWait } from "../retry-schedule.ts";
import { afterFailure, afterSuccess, healthy, type Health } from "./circuit-breaker.ts";
import { healthNotices } from "./health-notices.ts";

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

/** The results of attempts at endpoints of one shop. */
interface Attempted {
  results: readonly AttemptResult[];
  /** The endpoint of each delivery whose attempts are used up. */
  usedUp: readonly string[];
}

interface RecordedHealth {
  changes: HealthChange[];
  /** The times of the next probes. */
  probes: Moment[];
}

/** The health of an endpoint before and after these attempts. */
interface Transition extends Record<"before" | "after", Health> {
  endpoint: { id: string; url: string };
}

/**
 * Updates the health of endpoints from attempts in their order. It adds audit entries when an endpoint has failed for a
 * day, is disabled or is enabled. Mails go out earlier, and also for deliveries that failed for good.
 */
export async function recordHealth(em: EntityManager, shopId: string, attempted: Attempted): Promise<RecordedHealth> {
  const affecting = attempted.results.filter((result) => affectsHealth(result));
  const byEndpoint = Map.groupBy(affecting, ({ delivery }) => delivery.endpointId);
  const known = await lockHealth(em, shopId, [...byEndpoint.keys()]);
  const transitions = known
    .map(({ id, url, now, ...before }) => {
      const after = byEndpoint.get(id)!.reduce((health, result) => healthAfter(health, result, now), before);
      return { endpoint: { id, url }, before, after, now };
    })
    .filter(({ before, after }) => !isDeepStrictEqual(before, after));
  for (const { endpoint, after, now } of transitions) await writeHealth(em, { shopId, id: endpoint.id }, after, now);
  await tellStaff(em, shopId, transitions, attempted.usedUp);
  return {
    changes: transitions.flatMap((transition) => changeOf(shopId, transition)),
    probes: transitions.map(({ endpoint, after }) => {
      return { endpointId: endpoint.id, runAt: after.disabledReason ? null : after.probeAt };
    }),
  };
}

async function lockHealth(em: EntityManager, shopId: string, endpointIds: string[]) {
  if (endpointIds.length === 0) return [];
  return prepared(kysely(em), "lock health", { shopId, endpointIds }, (given) =>
    kysely(em)
      .selectFrom("webhook_endpoints")
      .select(["id", "url", "consecutive_failures as consecutiveFailures", "failing_since as failingSince"])
      .select(["last_failed_at as lastFailedAt", "probe_at as probeAt", "failed_probes as failedProbes"])
      .select(["failing_topics as failingTopics", "answered_at as answeredAt"])
      .select(["warned_at as warnedAt", "disabled_reason as disabledReason"])
      .select(sql<Date>`clock_timestamp()`.as("now"))
      .where("shop_id", "=", given.shopId)
      .where("id", "=", sql<string>`any(${given.endpointIds})`)
      // All lock in this order.
      .orderBy("id")
      .forNoKeyUpdate(),
  );
}

async function tellStaff(
  em: EntityManager,
  shopId: string,
  transitions: readonly Transition[],
  usedUp: readonly string[],
): Promise<void> {
  const notices = [];
  for (const { endpoint, before, after } of transitions) {
    const target = { id: endpoint.id, name: withoutQuery(endpoint.url) };
    for (const entry of auditEntries(before, after))
      await recordAudit({ em, shop: { id: shopId }, actor: system }, { target, ...entry });
    const count = usedUp.filter((id) => id === endpoint.id).length;
    notices.push(...healthNotices({ before, after, usedUp: count }, target));
  }
  if (notices.length > 0) await recordNotices(em, shopId, notices);
}

function changeOf(shopId: string, { endpoint, before, after }: Transition): HealthChange[] {
  const [from, to] = [statusOf(before), statusOf(after)];
  if (from === to) return [];
  // A success has reset the failures that it ended.
  const { consecutiveFailures: failures, failingSince } = to === HealthStatus.HEALTHY ? before : after;
  return [{ shopId, endpointId: endpoint.id, from, to, failures, failingSince }];
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
  if (isTest) return health;
  const asked = askedWait(outcome.retryAfter, now);
  return afterFailure(health, { topic, isProbe, isGone: outcome.status === 410, asked, now });
}

async function writeHealth(
  em: EntityManager,
  key: { shopId: string; id: string },
  health: Health,
  now: Date,
): Promise<void> {
  const disabledAt = health.disabledReason === null ? null : raw("coalesce(disabled_at, ?)", [now]);
  await em.nativeUpdate(WebhookEndpoint, key, { ...health, disabledAt });
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
