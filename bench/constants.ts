/** Connections of each server to PostgreSQL. */
export const POOL_SIZE = 10;
/** Connections of the load generator, where servers are compared. */
export const CONNECTIONS = 10;

/**
 * The warm-up of `bench:fairness`, in milliseconds. Connections open in it, of which a busy Node accepts a few in each
 * turn of its event loop.
 */
export const WARM_UP = 1_000;

/** Products of a shop. */
export const SMALL = 10_000;
export const LARGE = 1_000_000;
