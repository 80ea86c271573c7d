import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, Middleware } from "koa";
import { answeredRequests, methodLabel, requestIdOf } from "../http/observe.ts";
import { Counts } from "../counts.ts";
import { isDatabaseUnavailable } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { Arrivals } from "./arrivals.ts";
import { Queue, Ticket, tickets, type Places } from "./permits.ts";
import { ANONYMOUS, type Tenant, type TenantCache } from "./tenants.ts";

/** Requests of one tenant in flight. Documented for merchants. */
export const MAX_REQUESTS_IN_FLIGHT = 60;
/** Requests in flight of all tenants, for each connection to PostgreSQL. */
const MAX_BY_CONNECTION = 20;
/** The share of them that one tenant may have. */
const SHARE = 0.3;
/** The time without a success after which PostgreSQL counts as silent. Milliseconds. */
const STANDSTILL = 1_000;
/** The time between two log lines about refusals, in milliseconds. */
const LOG_INTERVAL = 1_000;

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Why a request is refused: because of its tenant's requests, or because PostgreSQL does not respond. */
export type Refusal = "too many" | "unavailable";

interface Options {
  /** Connections to PostgreSQL for requests. */
  poolSize: number;
  tenants: TenantCache;
  /** Returns true for the paths of probes, and of pages that ask for nothing in the database. */
  isFree: (path: string) => boolean;
  /** The body of a refusal, in the form of the API at the path. */
  refusalAt: (path: string, reason: Refusal) => string;
  logger: Logger;
  metrics: Metrics;
}

/** Receives requests, admits them up to limits in total and per tenant, and refuses the others. */
export class Gate implements Places {
  readonly #options: Options;
  readonly #most: number;
  readonly mostEach: number;
  readonly inFlight = new Counts();
  readonly queue: Queue;
  readonly #arrivals: Arrivals;
  readonly #networks = new Counts();
  readonly #refused;
  readonly #answered;
  /** Refusals not logged yet, by tenant. */
  readonly #refusals = new Map<string, number>();
  /** True after a request that failed because PostgreSQL did not respond. */
  #hasFailed = false;
  #succeededAt = 0;

  constructor(options: Options) {
    const { poolSize, metrics } = options;
    this.#options = options;
    this.#most = poolSize * MAX_BY_CONNECTION;
    this.mostEach = Math.min(MAX_REQUESTS_IN_FLIGHT, Math.floor(this.#most * SHARE));
    this.#arrivals = new Arrivals(metrics);
    this.queue = new Queue(poolSize);
    this.#refused = metrics.counter("requests_refused_total", "Requests refused because too many were in flight.");
    this.#answered = answeredRequests(metrics);
    metrics.gauge("requests_in_flight", "Requests in flight.", () => this.inFlight.total);
    metrics.gauge("requests_waiting", "Requests that wait for permits.", () => this.queue.waiting);
  }

  /** Wraps the listener with the gate. A request counts once it has arrived. */
  guard(listener: Listener): Listener {
    const { isFree, tenants, logger } = this.#options;
    return async (request, response) => {
      const tenant = tenants.find(request);
      if (!(await this.#arrivals.receive(request, response, tenant))) {
        const message = request.socket.writableEnded ? "request timed out" : "client disconnected";
        return logger.debug({ requestId: requestIdOf(request), tenant: tenant.name }, message);
      }
      if (isFree(pathOf(request))) return listener(request, response);
      if (!this.#hasRoom(tenant)) {
        this.#answered.inc({ method: methodLabel(request.method), route: "refused", status: 503, plan: "unknown" });
        response.setHeader("X-Request-Id", requestIdOf(request));
        return this.refuse(tenant, request, response);
      }
      // A request stays in flight until it is answered and its connection has taken the answer or closed.
      const closed = new Promise<void>((resolve) => void response.on("close", resolve));
      tickets.set(request, new Ticket(tenant, this, closed));
      if (this.inFlight.total === 0) this.#succeededAt = performance.now();
      this.count(tenant, 1);
      try {
        await listener(request, response);
        await closed;
      } finally {
        this.count(tenant, -1);
      }
    };
  }

  /** Records whether PostgreSQL responded to a request. */
  record(isResponsive: boolean): void {
    this.#hasFailed = !isResponsive;
    if (isResponsive) this.#succeededAt = performance.now();
  }

  /** Answers a refused request with 503. */
  refuse({ name }: Tenant, request: IncomingMessage, response: ServerResponse, reason = this.#reason): void {
    this.#refused.inc();
    if (this.#refusals.size === 0) setTimeout(() => this.logRefusals(), LOG_INTERVAL).unref();
    this.#refusals.set(name, (this.#refusals.get(name) ?? 0) + 1);
    const body = this.#options.refusalAt(pathOf(request), reason);
    response
      .writeHead(503, {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": Buffer.byteLength(body),
        "Cache-Control": "no-store",
        "Retry-After": "1",
      })
      .end(body);
  }

  /** Logs the refusals that are not logged yet. */
  logRefusals(): void {
    for (const [tenant, requests] of this.#refusals)
      this.#options.logger.info({ tenant, requests }, "requests refused");
    this.#refusals.clear();
  }

  /**
   * Dynamic threshold (Choudhury–Hahne): a tenant may have at most as many requests as places are free, so a few busy
   * tenants leave room for the next.
   */
  #hasRoom({ name, source }: Tenant): boolean {
    const own = this.inFlight.of(name);
    if (own >= Math.min(this.mostEach, this.#most - this.inFlight.total)) return false;
    return name !== ANONYMOUS || this.#networks.of(source) < this.mostEach - own;
  }

  get #reason(): Refusal {
    const isSilent = this.#hasFailed || performance.now() - this.#succeededAt > STANDSTILL;
    return isSilent ? "unavailable" : "too many";
  }

  count({ name, source }: Tenant, change: number): void {
    this.inFlight.add(name, change);
    if (name === ANONYMOUS) this.#networks.add(source, change);
  }
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0]!;
}

/** Returns true unless a request failed because PostgreSQL did not respond. */
export function hasResponded({ status }: Context, error?: unknown): boolean {
  return error === undefined ? status !== 503 : !isDatabaseUnavailable(error);
}

/** Holds a permit while a request is checked and answered. */
export function takePermits(gate: Gate): Middleware {
  return async (ctx, next) => {
    const ticket = tickets.get(ctx.req);
    if (!ticket) return next();
    await ticket.takePermits(1);
    try {
      if (ticket.isOver) {
        ctx.respond = false;
        return gate.refuse(ticket.tenant, ctx.req, ctx.res);
      }
      await next();
      gate.record(hasResponded(ctx));
      ticket.countAnswer(ctx.response.length ?? 0);
    } catch (error) {
      gate.record(hasResponded(ctx, error));
      throw error;
    } finally {
      ticket.giveBackPermits();
    }
  };
}
