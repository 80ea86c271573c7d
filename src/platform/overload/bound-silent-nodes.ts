import type { Middleware } from "koa";
import { LRUCache } from "lru-cache";
import { Counts } from "../counts.ts";
import { hasResponded, type Gate } from "./gate.ts";
import { tickets } from "./permits.ts";

/** The time for which a node counts as silent after a request that it did not answer. Milliseconds. */
const SILENT_FOR = 10_000;
const MAX_NODES = 1_000;

interface Options {
  gate: Gate;
  /** Requests in flight for all silent nodes together. */
  most: number;
  /** The time after which a failed request shows that the node does not respond. Milliseconds. */
  timeout: number;
  /** Finds the node of a tenant. Undefined for a tenant without one. */
  nodeOf: (tenant: string) => Promise<string | undefined>;
  /** Returns true when a successful answer shows that the node responds. */
  isFromNode: (path: string) => boolean;
}

/**
 * Refuses requests beyond a limit for the tenants of nodes that do not respond. Each of them holds a connection until
 * its time-out, so they would otherwise hold all.
 */
export function boundSilentNodes({ gate, most, timeout, nodeOf, isFromNode }: Options): Middleware {
  const silent = new LRUCache<string, true>({ max: MAX_NODES, ttl: SILENT_FOR });
  const inFlight = new Counts();
  return async (ctx, next) => {
    const ticket = tickets.get(ctx.req);
    if (!ticket) return next();
    const { tenant } = ticket;
    const node = silent.size > 0 ? await nodeOf(tenant.name) : undefined;
    const isSilent = node !== undefined && silent.get(node) === true;
    if (isSilent && inFlight.total >= most) {
      ctx.respond = false;
      return gate.refuse(tenant, ctx.req, ctx.res, "unavailable");
    }
    const startedAt = performance.now();
    let isRefused = true;
    try {
      await (isSilent ? inFlight.during(node, next) : next());
      isRefused = !hasResponded(ctx);
      if (isSilent && ctx.status < 300 && isFromNode(ctx.path)) silent.delete(node);
    } catch (error) {
      isRefused = !hasResponded(ctx, error);
      throw error;
    } finally {
      const failed = isRefused && performance.now() - startedAt >= timeout ? await nodeOf(tenant.name) : undefined;
      if (failed !== undefined) silent.set(failed, true);
    }
  };
}
