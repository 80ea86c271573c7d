const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Waits between the ten attempts. Milliseconds. */
const waits = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY];
const JITTER = 0.2;
const LONGEST_RETRY_AFTER = DAY;

export interface Retry {
  /** Attempts so far, the last one included. */
  attempts: number;
  /** The moment of the answer, by PostgreSQL's clock. */
  now: Date;
  /** The receiver's header: seconds or a date (RFC 9110, section 10.2.3). What is neither is ignored. */
  retryAfter?: string | null;
  /** In [0, 1). */
  random?: number;
}

/**
 * The wait before the next attempt, in milliseconds; undefined when the attempts are used up. A receiver may ask
 * for a later moment, to a day at most, but not for a sooner one.
 */
export function retryDelay({ attempts, now, retryAfter, random = Math.random() }: Retry): number | undefined {
  const wait = waits[attempts - 1];
  if (wait === undefined) return undefined;
  const scheduled = wait * (1 + JITTER * (2 * random - 1));
  const asked = Math.min(parseRetryAfter(retryAfter, now) ?? 0, LONGEST_RETRY_AFTER);
  return Math.max(scheduled, asked);
}

/**
 * The grid that the moment of a retry is rounded up to, in milliseconds: at most a sixty-fourth of its wait. An endpoint
 * has one job for each moment, so one that keeps failing now and then has some hundreds of them, not one for
 * each failure: PostgreSQL before 18 passes all jobs of later whenever it looks for those of now.
 */
export function retryGrid(delay: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(delay, SECOND) / 64));
}

/** Milliseconds from now. */
function parseRetryAfter(text: string | null | undefined, now: Date): number | undefined {
  if (text == null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  if (!dateForms.some((form) => form.test(text))) return undefined;
  const date = Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : date - now.getTime();
}

/** The form of HTTP dates, and the two obsolete ones that recipients have to take (RFC 9110, section 5.6.7). */
const dateForms = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];
