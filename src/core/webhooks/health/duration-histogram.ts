/** Each bucket ends this many times as high as the one before. */
const GROWTH = 1.2;
/** The first ends at 1 ms; the last but one at 10.9 s, which is more than an attempt may take. */
const BUCKETS = 53;

/**
 * The number of durations in each bucket. From 1 ms on, a bucket's middle is at most 10 % away from any duration in it.
 */
export function histogramOf(durations: readonly number[]): number[] {
  const buckets = Array.from({ length: BUCKETS }, () => 0);
  for (const duration of durations) buckets[bucketOf(duration)]! += 1;
  return buckets;
}

function bucketOf(duration: number): number {
  const bucket = Math.ceil(Math.log(Math.max(duration, 1)) / Math.log(GROWTH));
  return Math.min(bucket, BUCKETS - 1);
}

/** One histogram of all durations in several. */
export function mergeHistograms(histograms: readonly (readonly number[])[]): number[] {
  const merged = histogramOf([]);
  for (const buckets of histograms) for (const [bucket, count] of buckets.entries()) merged[bucket]! += count;
  return merged;
}

/** The duration that the given part of all do not exceed, in milliseconds; null of none. */
export function percentile(buckets: readonly number[], part: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rest = Math.ceil(part * total);
  const bucket = buckets.findIndex((count) => (rest -= count) <= 0);
  return bucket === 0 ? 1 : Number((GROWTH ** (bucket - 0.5)).toPrecision(4));
}
