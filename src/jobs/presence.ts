import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "../platform/logger.ts";

/** The class of the advisory locks that say which workers live. */
const LOCK_CLASS = 7_301;
const RECONNECT = 500;
const TIMEOUT = 3_000;

/**
 * A worker's sign of life: an advisory lock on a connection of its own. PostgreSQL lets go of it when the
 * process ends, however it ends, and the others then know that what it had begun is nobody's.
 */
export class Presence {
  readonly #url: string;
  readonly #logger: Logger;
  #client: pg.Client | undefined;
  #number: number | undefined;
  #stopped = false;

  constructor(options: { url: string; logger: Logger }) {
    this.#url = options.url;
    this.#logger = options.logger;
  }

  /** The number of the lock; undefined while there is no connection. A new connection has a new number. */
  get number(): number | undefined {
    return this.#number;
  }

  /** Runs a statement on the connection, which thereby proves that it is alive. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (!this.#client) await this.#connect();
    try {
      return (await this.#client!.query<Row>(text, values)).rows;
    } catch (error) {
      await this.#disconnect();
      throw error;
    }
  }

  /** Connects, and goes on trying until it has. */
  async start(): Promise<void> {
    while (!this.#stopped && !this.#client) {
      try {
        await this.#connect();
      } catch (error) {
        this.#logger.warn({ err: error }, "the worker cannot reach the database");
        await wait(RECONNECT);
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#disconnect();
  }

  /** SQL: the numbers of all workers that live. */
  static readonly living = `select objid::int from pg_locks where locktype = 'advisory' and classid = ${LOCK_CLASS}
    and objsubid = 2 and database = (select oid from pg_database where datname = current_database())`;

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "merchant-api worker",
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
    });
    client.on("error", () => void this.#disconnect(client));
    await client.connect();
    const number = randomInt(1, 2 ** 31 - 1);
    await client.query("select pg_advisory_lock($1, $2)", [LOCK_CLASS, number]);
    this.#client = client;
    this.#number = number;
  }

  async #disconnect(client = this.#client): Promise<void> {
    if (client === this.#client) {
      this.#client = undefined;
      this.#number = undefined;
    }
    await client?.end().catch(() => undefined);
  }
}
