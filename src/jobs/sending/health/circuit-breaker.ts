import { FAILING_LIMIT } from "../../../core/webhooks/health/failing-limit.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Failed attempts in a row that open the circuit. */
export const FAILURES_TO_OPEN = 10;
/** Staff are told of it after so long. Milliseconds. */
const WARNING_LIMIT = 86_400 * SECOND;

/** Failures this far apart are not of one illness: those before count no more. Milliseconds. */
const LONGEST_GAP = 86_400 * SECOND;
/** Failed attempts without which an endpoint is not disabled, however long ago the first of them was. */
const FAILURES_TO_DISABLE = 10;

const FIRST_PROBE = 30 * SECOND;
const LONGEST_PROBE = 30 * MINUTE;
/** Probes are spread by so much of their wait, so that endpoints that failed together are not all asked together. */
const JITTER = 0.5;

/** The recorded health of an endpoint. */
export interface Health {
  consecutiveFailures: number;
  failingSince: Date | null;
  lastFailedAt: Date | null;
  /** While it is set, nothing is sent but one probe from then on. */
  probeAt: Date | null;
  failedProbes: number;
  /** The moment at which staff were told that it fails. */
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

/** An attempt that failed. */
export interface Failure {
  /** True for a probe. */
  isProbe: boolean;
  /** True when the receiver said that the address is gone for good (410). */
  isGone: boolean;
  now: Date;
  /** In [0, 1). */
  random?: number;
}

/** The health after one more failure: as before, an open circuit, or the end. */
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
  // What was under way when the circuit opened fails too, and says nothing new.
  if (health.probeAt && !isProbe) return after;
  const failedProbes = health.probeAt ? health.failedProbes + 1 : 0;
  const wait = Math.min(FIRST_PROBE * 2 ** failedProbes, LONGEST_PROBE) * (1 + JITTER * (2 * random - 1));
  const probeAt = new Date(now.getTime() + Math.round(wait));
  return { ...after, probeAt, failedProbes };
}

function isOver({ lastFailedAt }: Health, now: Date): boolean {
  return lastFailedAt !== null && now.getTime() - lastFailedAt.getTime() > LONGEST_GAP;
}
