/** An endpoint that only failed for this long, in enough attempts, is disabled. Milliseconds. */
export const FAILING_LIMIT = 5 * 86_400_000;

/** Consecutive failures of a topic that open the circuit, and suspend the topic while it is open. */
export const FAILURES_TO_SUSPEND = 10;

/** SQL: the topics that are suspended while the circuit of an endpoint is open. */
export const suspendedTopics = `array(
  select key from jsonb_each_text(failing_topics) where value::int >= ${FAILURES_TO_SUSPEND})`;

/** Since when an endpoint has answered no topic. */
export function silentSince({ failingSince, answeredAt }: { failingSince: Date; answeredAt: Date | null }): Date {
  return answeredAt && answeredAt > failingSince ? answeredAt : failingSince;
}
