/** An endpoint that did nothing but fail for so long, in enough attempts, is disabled. Milliseconds. */
export const FAILING_LIMIT = 5 * 86_400_000;
