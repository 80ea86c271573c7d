/** The ratio between the ends of consecutive buckets. */
const GROWTH = 1.2;
/** The first bucket ends at 1 ms, the last but one at 10.9 s, which is longer than any attempt. */
const BUCKETS = 53;

/** Counts durations by bucket. From 1 ms on, a bucket's middle differs by at most 10 % from any duration in it. */
export function histogramOf(durations: readonly number[]): number[] {
  const buckets = Array.from({ length: BUCKETS }, () => 0);
  for (const duration of durations) buckets[bucketOf(duration)]! += 1;
  return buckets;
}

function bucketOf(duration: number): number {
  const bucket = Math.ceil(Math.log(Math.max(duration, 1)) / Math.log(GROWTH));
  return Math.min(bucket, BUCKETS - 1);
}

/** Adds up histograms. */
export function mergeHistograms(histograms: readonly (readonly number[])[]): number[] {
  const merged = histogramOf([]);
  for (const buckets of histograms) for (const [bucket, count] of buckets.entries()) merged[bucket]! += count;
  return merged;
}

/** The duration in milliseconds that the given share of all does not exceed. Null when there are none. */
export function percentile(buckets: readonly number[], part: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rest = Math.ceil(part * total);
  const bucket = buckets.findIndex((count) => (rest -= count) <= 0);
  return bucket === 0 ? 1 : Number((GROWTH ** (bucket - 0.5)).toPrecision(4));
}
