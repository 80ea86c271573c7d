import { FAILING_LIMIT } from "../../../core/webhooks/health/failing-limit.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Consecutive failures that open the circuit. */
export const FAILURES_TO_OPEN = 10;
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

/** The recorded health of an endpoint. */
export interface Health {
  consecutiveFailures: number;
  failingSince: Date | null;
  lastFailedAt: Date | null;
  /** When set, only a probe is sent, from this time on. */
  probeAt: Date | null;
  failedProbes: number;
  /** When staff were notified that it fails. */
  warnedAt: Date | null;
  disabledReason: "GONE" | "FAILING" | null;
}

export const healthy: Health = {
  consecutiveFailures: 0,
  failingSince: null,
  lastFailedAt: null,
  probeAt: null,
  failedProbes: 0,
  warnedAt: null,
  disabledReason: null,
};

/** A failed attempt. */
export interface Failure {
  /** True for a probe. */
  isProbe: boolean;
  /** True when the receiver answered 410: the address is gone for good. */
  isGone: boolean;
  now: Date;
  /** In [0, 1). */
  random?: number;
}

/** The health after another failure: unchanged, with an open circuit, or disabled. */
export function afterFailure(before: Health, { isProbe, isGone, now, random = Math.random() }: Failure): Health {
  const health = isOver(before, now)
    ? { ...before, consecutiveFailures: 0, failingSince: null, warnedAt: null }
    : before;
  const consecutiveFailures = health.consecutiveFailures + 1;
  const failingSince = health.failingSince ?? now;
  const age = now.getTime() - failingSince.getTime();
  const isHopeless = age >= FAILING_LIMIT && consecutiveFailures >= FAILURES_TO_DISABLE;
  const disabledReason = isGone ? "GONE" : (health.disabledReason ?? (isHopeless ? "FAILING" : null));
  const isToWarn = age >= WARNING_LIMIT && disabledReason === null;
  const warnedAt = health.warnedAt ?? (isToWarn ? now : null);
  const after = { ...health, consecutiveFailures, failingSince, lastFailedAt: now, warnedAt, disabledReason };
  if (!health.probeAt && consecutiveFailures < FAILURES_TO_OPEN) return after;
  // Attempts that were running when the circuit opened add no information.
  if (health.probeAt && !isProbe) return after;
  const failedProbes = health.probeAt ? health.failedProbes + 1 : 0;
  const wait = Math.min(FIRST_PROBE * 2 ** failedProbes, LONGEST_PROBE) * (1 + JITTER * (2 * random - 1));
  const probeAt = new Date(now.getTime() + Math.round(wait));
  return { ...after, probeAt, failedProbes };
}

function isOver({ lastFailedAt }: Health, now: Date): boolean {
  return lastFailedAt !== null && now.getTime() - lastFailedAt.getTime() > LONGEST_GAP;
}
