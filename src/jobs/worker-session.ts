import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { withSettings } from "../platform/connection-url.ts";
import type { Logger } from "../platform/logger.ts";
import { types } from "../platform/orm.ts";
import { PreparingClient } from "../platform/preparing-driver.ts";
import { BY_INDEX } from "./by-index.ts";
import type { EndpointKey } from "./turns.ts";

/** Keeps the keys of our advisory locks apart from those of others. */
const LOCK_SEED = 7_301;
const CHANNEL = "webhook_endpoints";
const RECONNECT = 500;
const TIMEOUT = 3_000;
/** A worker whose machine is gone says no goodbye: PostgreSQL finds out by asking. About eleven seconds. */
const KEEP_ALIVE = { tcp_keepalives_idle: "5", tcp_keepalives_interval: "2", tcp_keepalives_count: "3" };

export interface WorkerSessionOptions {
  url: string;
  /** Another worker was told of something due at these endpoints, which it does not hold. */
  onWake: (endpoints: EndpointKey[]) => void;
  /** The connection is gone, and with it all that was held. */
  onLost: () => void;
  logger: Logger;
}

/**
 * A worker's connection of its own, and the endpoints that it holds: those that it alone sends to. They are advisory
 * locks of the connection, which PostgreSQL lets go of when the process ends, however it ends. So nothing is left
 * behind that would have to be cleaned up, and no delivery ever stays taken.
 */
export class WorkerSession {
  readonly #options: WorkerSessionOptions;
  #client: pg.Client | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #held = new Set<string>();
  #stopped = false;

  constructor(options: WorkerSessionOptions) {
    this.#options = options;
  }

  /** Connects, and goes on trying until it has. */
  async start(): Promise<void> {
    while (!this.#stopped && !this.#client) {
      try {
        await this.letGo([]);
      } catch (error) {
        this.#options.logger.warn({ err: error }, "the worker cannot reach the database");
        await wait(RECONNECT);
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#last;
    await this.#disconnect();
  }

  /**
   * Runs a statement on the connection, after those before it. It is made anew when there is none: by one statement at
   * a time, for with two connections neither could take what the other holds.
   */
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const rows = this.#last.then(() => this.#query<Row>(text, values));
    this.#last = rows.catch(() => undefined);
    return rows;
  }

  async #query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const client = this.#client ?? (await this.#connect());
    try {
      return (await client.query<Row>(text, values)).rows;
    } catch (error) {
      // Of a connection that is not sure to be well, it is not known what it holds.
      await this.#disconnect(client);
      throw error;
    }
  }

  /** Whether this worker is the one that sends to the endpoint. */
  holds(endpointId: string): boolean {
    return this.#held.has(endpointId);
  }

  /** Takes those that no other worker holds. */
  async take(endpointIds: readonly string[]): Promise<void> {
    const rows = await this.query<{ id: string; isHeld: boolean }>(
      `select id, pg_try_advisory_lock(hashtextextended(id, ${LOCK_SEED})) as "isHeld" from unnest($1::text[]) as id`,
      [endpointIds],
    );
    for (const { id, isHeld } of rows) if (isHeld) this.#held.add(id);
  }

  /** Also with none, for it shows that the connection is well. */
  async letGo(endpointIds: readonly string[]): Promise<void> {
    const held = endpointIds.filter((id) => this.#held.delete(id));
    await this.query(`select pg_advisory_unlock(hashtextextended(id, ${LOCK_SEED})) from unnest($1::text[]) as id`, [
      held,
    ]);
  }

  /** Tells the workers that hold them: one at a time, for a notification has room for no more than 8,000 bytes. */
  async wakeOthers(endpoints: readonly EndpointKey[]): Promise<void> {
    const payloads = endpoints.map((endpoint) => JSON.stringify(endpoint));
    await this.query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [CHANNEL, payloads]);
  }

  async #connect(): Promise<pg.Client> {
    if (this.#stopped) throw new Error("The worker has ended its session");
    const client = new PreparingClient({
      connectionString: withSettings(this.#options.url, { ...KEEP_ALIVE, ...BY_INDEX }),
      application_name: "merchant-api worker",
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
      types,
    });
    client.on("error", () => void this.#disconnect(client));
    client.on("end", () => void this.#disconnect(client));
    client.on("notification", ({ payload }) => this.#options.onWake([JSON.parse(payload!) as EndpointKey]));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      await this.#disconnect(client);
      throw error;
    }
    this.#client = client;
    return client;
  }

  async #disconnect(client = this.#client): Promise<void> {
    if (client && client === this.#client) {
      this.#client = undefined;
      this.#held = new Set();
      this.#options.onLost();
    }
    await client?.end().catch(() => undefined);
  }
}
