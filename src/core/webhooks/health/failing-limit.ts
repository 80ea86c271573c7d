/** An endpoint that only failed for this long, in enough attempts, is disabled. Milliseconds. */
export const FAILING_LIMIT = 5 * 86_400_000;

/** Since when an endpoint has answered no topic. */
export function silentSince({ failingSince, answeredAt }: { failingSince: Date; answeredAt: Date | null }): Date {
  return answeredAt && answeredAt > failingSince ? answeredAt : failingSince;
}
