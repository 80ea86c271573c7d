const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Waits between the ten attempts. Milliseconds. */
const waits = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY];
const JITTER = 0.2;
const LONGEST_RETRY_AFTER = DAY;

export interface Retry {
  /** Attempts so far, including the last one. */
  attempts: number;
  /** The time of the answer, by PostgreSQL's clock. */
  now: Date;
  /** The Retry-After header: seconds or a date (RFC 9110, section 10.2.3). Other values are ignored. */
  retryAfter?: string | null;
  /** In [0, 1). */
  random?: number;
}

/**
 * The wait before the next attempt, in milliseconds. Undefined when the attempts are used up. A receiver may ask for a
 * later time, up to a day, but not for an earlier one.
 */
export function retryDelay({ attempts, now, retryAfter, random = Math.random() }: Retry): number | undefined {
  const wait = waits[attempts - 1];
  if (wait === undefined) return undefined;
  const scheduled = wait * (1 + JITTER * (2 * random - 1));
  return Math.max(scheduled, askedWait(retryAfter, now));
}

/**
 * The interval to which the time of a retry is rounded up, in milliseconds: at most a sixty-fourth of its wait. An
 * endpoint has one job per time, so a failing endpoint has some hundreds of jobs instead of one per failure. PostgreSQL
 * before 18 scans all later jobs whenever it looks for due ones.
 */
export function retryGrid(delay: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(delay, SECOND) / 64));
}

/** The wait that a receiver asks for, up to a day. Milliseconds. */
export function askedWait(retryAfter: string | null | undefined, now: Date): number {
  return Math.min(Math.max(parseRetryAfter(retryAfter, now) ?? 0, 0), LONGEST_RETRY_AFTER);
}

/** Milliseconds from now. */
function parseRetryAfter(text: string | null | undefined, now: Date): number | undefined {
  if (text == null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  if (!dateForms.some((form) => form.test(text))) return undefined;
  const date = Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : date - now.getTime();
}

/** The format of HTTP dates, and the two obsolete formats that recipients must accept (RFC 9110, section 5.6.7). */
const dateForms = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];
