/** An endpoint that only failed for this long, in enough attempts, is disabled. Milliseconds. */
export const FAILING_LIMIT = 5 * 86_400_000;
