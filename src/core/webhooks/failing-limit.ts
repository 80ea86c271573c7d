/** An endpoint of which nothing but failure was seen for so long is disabled. Milliseconds. */
export const FAILING_LIMIT = 5 * 86_400_000;
