import type { WebhookEndpoint } from "../../../core/model/webhooks/webhook-endpoint.entity.ts";
import { FAILING_LIMIT, FAILURES_TO_SUSPEND, silentSince } from "../../../core/webhooks/health/endpoint-health.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How long an endpoint must fail before staff are notified. Milliseconds. */
const WARNING_LIMIT = 86_400 * SECOND;

/** Failures further apart are unrelated: earlier ones no longer count. Milliseconds. */
const LONGEST_GAP = 86_400 * SECOND;
/** Minimum number of failures before an endpoint is disabled, however long it has failed. */
const FAILURES_TO_DISABLE = 10;

const FIRST_PROBE = 30 * SECOND;
const LONGEST_PROBE = 30 * MINUTE;
/** The jitter of probes, as a share of their wait. It spreads the probes of endpoints that failed together. */
const JITTER = 0.5;

const none = {
  consecutiveFailures: 0,
  failingSince: null,
  lastFailedAt: null,
  failingTopics: {},
  answeredAt: null,
  probeAt: null,
  failedProbes: 0,
  warnedAt: null,
  disabledReason: null,
} satisfies Partial<WebhookEndpoint>;

/** The recorded health of an endpoint. */
export type Health = Pick<WebhookEndpoint, keyof typeof none>;
export const healthy: Health = none;

/** A failed attempt. */
export interface Failure {
  topic: string;
  /** True for a probe. */
  isProbe: boolean;
  /** True when the receiver answered 410: the address is gone for good. */
  isGone: boolean;
  /** The wait that the receiver asked for, in milliseconds. */
  asked?: number;
  now: Date;
  /** In [0, 1). */
  random?: number;
}

/** The health after another failure: unchanged, with an open circuit, or disabled. */
export function afterFailure(before: Health, failure: Failure): Health {
  const { topic, isProbe, isGone, asked = 0, now, random = Math.random() } = failure;
  const health = isOver(before, now)
    ? { ...before, consecutiveFailures: 0, failingSince: null, answeredAt: null, warnedAt: null }
    : before;
  const consecutiveFailures = health.consecutiveFailures + 1;
  const failingSince = health.failingSince ?? now;
  const failingTopics = { ...health.failingTopics, [topic]: (health.failingTopics[topic] ?? 0) + 1 };
  const age = now.getTime() - silentSince({ failingSince, answeredAt: health.answeredAt }).getTime();
  const isHopeless = age >= FAILING_LIMIT && consecutiveFailures >= FAILURES_TO_DISABLE;
  const disabledReason = isGone ? "GONE" : (health.disabledReason ?? (isHopeless ? "FAILING" : null));
  const isToWarn = age >= WARNING_LIMIT && disabledReason === null;
  const warnedAt = health.warnedAt ?? (isToWarn ? now : null);
  const failures = { consecutiveFailures, failingSince, failingTopics, lastFailedAt: now };
  const after = { ...health, ...failures, warnedAt, disabledReason };
  if (!health.probeAt && failingTopics[topic]! < FAILURES_TO_SUSPEND) return after;
  const earliest = new Date(now.getTime() + asked);
  // Attempts that were running when the circuit opened, and the other probes of a round, add no other information.
  if (health.probeAt && (!isProbe || health.probeAt > now)) {
    return asked > 0 ? { ...after, probeAt: later(health.probeAt, earliest) } : after;
  }
  const failedProbes = health.probeAt ? health.failedProbes + 1 : 0;
  const wait = Math.min(FIRST_PROBE * 2 ** failedProbes, LONGEST_PROBE) * (1 + JITTER * (2 * random - 1));
  const probeAt = later(new Date(now.getTime() + Math.round(wait)), earliest);
  return { ...after, probeAt, failedProbes };
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/**
 * The health after a success. While the circuit is open, other topics stay suspended, and the endpoint is not disabled as
 * long as it answers some.
 */
export function afterSuccess(health: Health, topic: string, now: Date): Health {
  const { [topic]: _, ...failingTopics } = health.failingTopics;
  const isSuspended = Object.values(failingTopics).some((failures) => failures >= FAILURES_TO_SUSPEND);
  if (!health.probeAt || !isSuspended) {
    return { ...healthy, disabledReason: health.disabledReason };
  }
  return { ...health, failingTopics, answeredAt: now, warnedAt: null };
}

function isOver({ lastFailedAt }: Health, now: Date): boolean {
  return lastFailedAt !== null && now.getTime() - lastFailedAt.getTime() > LONGEST_GAP;
}
