import { isDeepStrictEqual } from "node:util";
import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { system } from "../../../core/access/actor.ts";
import { AuditAction } from "../../../core/model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../../core/audit/record-audit.ts";
import { WebhookEndpoint } from "../../../core/model/webhooks/webhook-endpoint.entity.ts";
import { columnsOf, selectFields } from "../../../core/queries/columns.ts";
import { kysely, prepared } from "../../../core/queries/database.ts";
import { recordNotices, type NewNotice } from "../../../core/notifications/record-notices.sql.ts";
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

interface RecordedHealth {
  changes: HealthChange[];
  /** The times of the next probes. */
  probes: Moment[];
}

/**
 * Updates the health of endpoints from attempts in their order. It adds audit entries when an endpoint has failed for a
 * day, is disabled or is enabled. Mails go out earlier, and also for deliveries that failed for good.
 */
export async function recordHealth(
  em: EntityManager,
  shopId: string,
  { results, usedUp }: { results: readonly AttemptResult[]; usedUp: readonly string[] },
): Promise<RecordedHealth> {
  const affecting = results.filter((result) => affectsHealth(result));
  const byEndpoint = Map.groupBy(affecting, ({ delivery }) => delivery.endpointId);
  const changes: HealthChange[] = [];
  const probes: Moment[] = [];
  const notices: NewNotice[] = [];
  for (const { id, url, now, ...before } of await lockHealth(em, shopId, [...byEndpoint.keys()])) {
    const after = byEndpoint.get(id)!.reduce<Health>((health, result) => healthAfter(health, result, now), before);
    if (isDeepStrictEqual(before, after)) continue;
    const disabledAt = after.disabledReason === null ? null : raw("coalesce(disabled_at, ?)", [now]);
    await em.nativeUpdate(WebhookEndpoint, { shopId, id }, { ...after, disabledAt });
    const target = { id, name: withoutQuery(url) };
    for (const entry of auditEntries(before, after))
      await recordAudit({ em, shop: { id: shopId }, actor: system }, { target, ...entry });
    notices.push(...healthNotices({ before, after, usedUp: usedUp.filter((each) => each === id).length }, target));
    probes.push({ endpointId: id, runAt: after.disabledReason ? null : after.probeAt });
    const [from, to] = [statusOf(before), statusOf(after)];
    // A success has reset the failures that it ended.
    const { consecutiveFailures: failures, failingSince } = to === HealthStatus.HEALTHY ? before : after;
    if (from !== to) changes.push({ shopId, endpointId: id, from, to, failures, failingSince });
  }
  if (notices.length > 0) await recordNotices(em, shopId, notices);
  return { changes, probes };
}

async function lockHealth(em: EntityManager, shopId: string, endpointIds: string[]) {
  if (endpointIds.length === 0) return [];
  const always = ["id", "url", ...Object.keys(healthy)] as ("id" | "url" | keyof Health)[];
  return prepared(kysely(em), "lock health", { shopId, endpointIds }, (given) =>
    kysely(em)
      .selectFrom("webhook_endpoints")
      .select(selectFields(columnsOf(em, WebhookEndpoint), { fields: new Set() }, always))
      .select(sql<Date>`clock_timestamp()`.as("now"))
      .where("shop_id", "=", given.shopId)
      .where("id", "=", sql<string>`any(${given.endpointIds})`)
      // All lock in this order.
      .orderBy("id")
      .forNoKeyUpdate(),
  );
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
