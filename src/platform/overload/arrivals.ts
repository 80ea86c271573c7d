import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import readRawBody from "raw-body";
import { timeOut } from "../http/http-server.ts";
import { bodies, hasBody, MAX_BODY_BYTES } from "../http/request-body.ts";
import { Counts } from "../counts.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tenant } from "./tenants.ts";

/** What the requests of one source, and of all, may hold while they arrive. Bytes: 60 of the largest, and 240. */
const MAX_EACH = 16 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** What a request holds beside its body. Bytes. */
const LEAST = 16 * 1024;
/** The rate below which a request is cut once its body has taken longer than the grace. Bytes a second, milliseconds. */
const MIN_RATE = 240;
const GRACE = 5_000;
const CHECKED_EVERY = 1_000;
/** The time for which the rest of a body that is too large is read. Milliseconds. */
const DRAIN = 1_000;

interface Arrival {
  source: string;
  startedAt: number;
  bytes: number;
  response: ServerResponse;
}

/**
 * Receives the bodies of requests. A request that arrives costs memory only, so it takes no place, and is bounded in
 * bytes: where a bound is reached, the one that has taken longest is cut. Most clients that take long want to.
 */
export class Arrivals {
  /** Ordered by their start. */
  readonly #arriving = new Set<Arrival>();
  readonly #bytes = new Counts();
  readonly #cuts;
  #isWatching = false;

  constructor(metrics: Metrics) {
    this.#cuts = metrics.counter("requests_cut_total", "Requests that were cut because they arrived too slowly.");
    metrics.gauge("requests_arriving", "Requests of which the body is still arriving.", () => this.#arriving.size);
  }

  /** Receives a body, if the request has one. Returns false if the request was cut or its client has left. */
  async receive(request: IncomingMessage, response: ServerResponse, { source }: Tenant): Promise<boolean> {
    if (!hasBody(request)) return true;
    const arrival = { source, startedAt: performance.now(), bytes: 0, response };
    this.#arriving.add(arrival);
    this.#hold(arrival, LEAST);
    this.#watch();
    request.on("data", ({ length }: Buffer) => this.#hold(arrival, length));
    try {
      bodies.set(
        request,
        await readRawBody(request, { limit: MAX_BODY_BYTES, length: request.headers["content-length"] ?? null }),
      );
    } catch (error) {
      if ((error as { type?: string }).type !== "entity.too.large") return false;
      this.#release(arrival);
      await drain(request);
      bodies.set(request, "too large");
      response.setHeader("Connection", "close");
    } finally {
      this.#release(arrival);
      if (request.socket.writableEnded) this.#cuts.inc();
    }
    return request.socket.writable;
  }

  #hold(arrival: Arrival, bytes: number): void {
    if (!this.#arriving.has(arrival)) return;
    arrival.bytes += bytes;
    this.#bytes.add(arrival.source, bytes);
    if (this.#bytes.of(arrival.source) > MAX_EACH) this.#cutFirst(({ source }) => source === arrival.source);
    if (this.#bytes.total > MAX_BYTES) this.#cutFirst(() => true);
  }

  #release(arrival: Arrival): void {
    if (this.#arriving.delete(arrival)) this.#bytes.add(arrival.source, -arrival.bytes);
  }

  #cutFirst(isMeant: (arrival: Arrival) => boolean): void {
    this.#cut(this.#arriving.values().find(isMeant)!);
  }

  #cut(arrival: Arrival): void {
    this.#release(arrival);
    timeOut(arrival.response);
  }

  /** Cuts slow requests while there are any. */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const check = () => {
      this.#isWatching = false;
      const now = performance.now();
      for (const arrival of this.#arriving) {
        const age = now - arrival.startedAt;
        if (age < GRACE) break;
        if (arrival.bytes - LEAST < (age / 1_000) * MIN_RATE) this.#cut(arrival);
      }
      if (this.#arriving.size > 0) this.#watch();
    };
    setTimeout(check, CHECKED_EVERY).unref();
  }
}

/** A client that sends its whole body before it reads would lose the answer if the rest were not read. */
async function drain(request: IncomingMessage): Promise<void> {
  request.resume();
  await Promise.race([once(request, "close"), once(request, "end"), delay(DRAIN)]).catch(() => undefined);
}
