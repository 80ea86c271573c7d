import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, Middleware } from "koa";
import { answeredRequests, methodLabel, requestIdOf } from "../http/observe.ts";
import { hasBody, receiveBody } from "../http/request-body.ts";
import { Counts } from "../counts.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { Queue, Ticket, ticketOf, tickets } from "./permits.ts";
import type { Tenant, TenantCache } from "./tenants.ts";

/** Requests of one tenant in flight. Documented for merchants. */
export const MAX_REQUESTS_IN_FLIGHT = 60;
/** Requests in flight of all tenants, for each connection to PostgreSQL. */
const MOST_BY_CONNECTION = 20;
/** The share of them that one tenant may have. */
const SHARE = 0.3;
/** The time between two log lines about refusals, in milliseconds. */
const LOG_INTERVAL = 1_000;

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Options {
  /** Connections to PostgreSQL for requests. */
  poolSize: number;
  tenants: TenantCache;
  isProbe: (path: string) => boolean;
  /** The body of a refusal, in the form of the API at the path. */
  refusalAt: (path: string) => string;
  logger: Logger;
  metrics: Metrics;
}

/** Admits requests up to limits in total and per tenant, and refuses the others. */
export class Gate {
  readonly #options: Options;
  readonly #most: number;
  readonly #mostEach: number;
  readonly #inFlight = new Counts();
  readonly #networks = new Counts();
  readonly #queue: Queue;
  readonly #uploads: Queue;
  readonly #refused;
  readonly #answered;
  /** Refusals not logged yet, by tenant. */
  readonly #refusals = new Map<string, number>();

  constructor(options: Options) {
    const { poolSize, metrics } = options;
    this.#options = options;
    this.#most = poolSize * MOST_BY_CONNECTION;
    this.#mostEach = Math.min(MAX_REQUESTS_IN_FLIGHT, Math.floor(this.#most * SHARE));
    this.#queue = new Queue(poolSize);
    this.#uploads = new Queue(poolSize);
    this.#refused = metrics.counter("requests_refused_total", "Requests refused because too many were in flight.");
    this.#answered = answeredRequests(metrics);
    metrics.gauge("requests_in_flight", "Requests in flight.", () => this.#inFlight.total);
    metrics.gauge("requests_waiting", "Requests that wait for permits.", () => this.#queue.waiting);
  }

  /** Wraps the listener with the gate. Probes bypass it. */
  guard(listener: Listener): Listener {
    const { isProbe, tenants } = this.#options;
    return async (request, response) => {
      if (isProbe(pathOf(request))) return listener(request, response);
      const tenant = tenants.find(request);
      if (!this.#hasRoom(tenant)) {
        this.#answered.inc({ method: methodLabel(request.method), route: "refused", status: 503, plan: "unknown" });
        response.setHeader("X-Request-Id", requestIdOf(request));
        return this.refuse(tenant, request, response);
      }
      // A request stays in flight until it is answered and its connection has taken the answer or closed.
      const closed = new Promise<void>((resolve) => void response.once("close", resolve));
      tickets.set(
        request,
        new Ticket(
          tenant,
          this.#queue,
          this.#inFlight,
          (change) => this.#change(tenant, change),
          this.#mostEach,
          closed,
        ),
      );
      await this.#count(tenant, () => Promise.all([listener(request, response), closed]));
    };
  }

  /** Receives a body. Large bodies of a tenant take turns, because many at once would block the thread. */
  async receive({ name }: Tenant, takesTurn: boolean, receive: () => Promise<void>): Promise<void> {
    const permits = takesTurn ? await this.#uploads.take(name, 1) : 0;
    try {
      await receive();
    } finally {
      if (permits > 0) this.#uploads.giveBack(name, permits);
    }
  }

  /** Answers a refused request with 503. */
  refuse({ name }: Tenant, request: IncomingMessage, response: ServerResponse): void {
    this.#refused.inc();
    if (this.#refusals.size === 0) setTimeout(() => this.logRefusals(), LOG_INTERVAL).unref();
    this.#refusals.set(name, (this.#refusals.get(name) ?? 0) + 1);
    const body = this.#options.refusalAt(pathOf(request));
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
  #hasRoom({ name, network }: Tenant): boolean {
    const own = this.#inFlight.of(name);
    if (own >= Math.min(this.#mostEach, this.#most - this.#inFlight.total)) return false;
    return network === undefined || this.#networks.of(network) < this.#mostEach - own;
  }

  async #count(tenant: Tenant, work: () => Promise<unknown>): Promise<void> {
    this.#change(tenant, 1);
    try {
      await work();
    } finally {
      this.#change(tenant, -1);
    }
  }

  #change({ name, network }: Tenant, change: number): void {
    this.#inFlight.add(name, change);
    if (network !== undefined) this.#networks.add(network, change);
  }
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0]!;
}

/** Bodies up to this size are received without a turn. Bytes. */
const SMALL = 16 * 1024;

/** Receives the body of a request, then holds a permit while it is checked and answered. */
export function takePermits(gate: Gate): Middleware {
  return async (ctx, next) => {
    const ticket = ticketOf(ctx);
    await gate.receive(ticket.tenant, isLarge(ctx), () => receiveBody(ctx));
    await ticket.takePermits(1);
    try {
      if (ticket.isOver) {
        ctx.respond = false;
        return gate.refuse(ticket.tenant, ctx.req, ctx.res);
      }
      await next();
      ticket.countAnswer(ctx.response.length ?? 0);
    } finally {
      ticket.giveBackPermits();
    }
  };
}

function isLarge(ctx: Context): boolean {
  const length = ctx.get("Content-Length");
  return hasBody(ctx) && (length === "" || Number(length) > SMALL);
}
