// Text, since advisory locks are functions of PostgreSQL, called on a connection of the worker's own.
import { setTimeout as wait } from "node:timers/promises";
import DataLoader from "dataloader";
import pg from "pg";
import { withSettings } from "../platform/postgres/connection-url.ts";
import { endWhenSilent } from "../platform/postgres/silent-connection.ts";
import type { Logger } from "../platform/telemetry/logger.ts";

/** Keep the keys of our advisory locks apart from those of others, and of each other. */
const ENDPOINTS = 7_301;
const RUNNERS = 7_302;
const RECONNECT = 500;
const TIMEOUT = 3_000;
const SWEEP = 1_000;
/** PostgreSQL ends the session of a worker that sends nothing for so long, and lets go of its locks. Milliseconds. */
const LEASE = 5_000;
/** SQL: asks whether a connection still answers. */
export const PING = "select";
const SETTINGS = { idle_session_timeout: `${LEASE}` };

// graphile-worker gives up a dead runner's jobs after four hours. A runner that has just begun may not have its lock yet.
const freeJobs = `
  select graphile_worker.force_unlock_workers(array_agg(id)), array_agg(id) as runners from (
    select distinct locked_by as id from graphile_worker.jobs
    where locked_at < now() - interval '2 seconds' and locked_by is distinct from $1 offset 0
  ) locked where pg_try_advisory_xact_lock(hashtextextended(id, ${RUNNERS})) having count(*) > 0`;

/** SQL: calls a function with the lock of each endpoint. */
const forEach = (lockFunction: string) => `
  select ${lockFunction}(hashtextextended(id, ${ENDPOINTS})) as "isHeld"
  from unnest($1::text[]) with ordinality as endpoint (id, place) order by place`;

/**
 * A worker's connection of its own, and the advisory locks on it: one for each endpoint that this worker alone sends to,
 * and one that shows that its runner of jobs lives. PostgreSQL releases them when the process ends, however it ends, and
 * when it sends nothing for five seconds. Every second each worker frees the jobs of runners that no longer live.
 */
export class WorkerSession {
  readonly #url: string;
  readonly #logger: Logger;
  #client: pg.Client | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #held = new Set<string>();
  readonly #acquiring = this.#batched((ids) => this.#acquire(ids));
  readonly #releasing = this.#batched((ids) => this.#query(forEach("pg_advisory_unlock"), [ids]));
  #runner: string | undefined;
  /** When the last statement was sent that PostgreSQL answered: the lease lasts from then. */
  #renewedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: { url: string; logger: Logger }) {
    this.#url = options.url;
    this.#logger = options.logger;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#sweep(), SWEEP);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#last;
    await this.#disconnect();
  }

  /** Answers whether the worker still has an endpoint. PostgreSQL may have given it to another after a pause. */
  holds(endpointId: string): boolean {
    return this.#held.has(endpointId) && performance.now() - this.#renewedAt < LEASE;
  }

  /** Settles when the session answers. */
  async ping(): Promise<void> {
    await this.#query(PING, []);
  }

  /** Answers whether this worker is now the one that sends to the endpoint. */
  acquire(endpointId: string): Promise<boolean> {
    return this.#acquiring.load(endpointId);
  }

  async release(endpointId: string): Promise<void> {
    // Not held any more when the connection broke: PostgreSQL has let go of it.
    if (this.#held.delete(endpointId)) await this.#releasing.load(endpointId);
  }

  async #acquire(endpointIds: readonly string[]): Promise<boolean[]> {
    const rows = await this.#query<{ isHeld: boolean }>(forEach("pg_try_advisory_lock"), [endpointIds]);
    rows.forEach(({ isHeld }, index) => isHeld && this.#held.add(endpointIds[index]!));
    return rows.map(({ isHeld }) => isHeld);
  }

  /** Loads all keys that come during a statement with the next one: one after another would take ten times as long. */
  #batched<Result>(work: (keys: readonly string[]) => Promise<Result[]>): DataLoader<string, Result> {
    return new DataLoader(work, { cache: false, batchScheduleFn: (dispatch) => void this.#last.then(dispatch) });
  }

  /** Shows, from now on, that this runner of jobs lives, and on a new connection, no longer that an earlier one does. */
  async announce(runner: string): Promise<void> {
    this.#runner = runner;
    await this.#last;
    await this.#disconnect();
    await this.ping();
  }

  async #sweep(): Promise<void> {
    try {
      const [freed] = await this.#query<{ runners: string[] }>(freeJobs, [this.#runner]);
      if (freed) this.#logger.warn(freed, "freed the jobs of runners that ended");
    } catch (error) {
      this.#logger.warn({ err: error }, "the worker cannot reach the database");
    }
  }

  /** Runs a statement after those before it, on a connection that is made anew when there is none. */
  #query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const rows = this.#last.then(async () => {
      const client = this.#client ?? (await this.#connect());
      try {
        const sentAt = performance.now();
        const result = await client.query<Row>(text, values);
        this.#renewedAt = sentAt;
        return result.rows;
      } catch (error) {
        // Of a connection that may not be well, it is not known what it holds.
        await this.#disconnect(client);
        throw error;
      }
    });
    this.#last = rows.catch(() => undefined);
    return rows;
  }

  async #connect(): Promise<pg.Client> {
    if (this.#isStopped) throw new Error("The worker has ended its session");
    const client = new pg.Client({
      connectionString: withSettings(this.#url, SETTINGS),
      application_name: "merchant-api worker",
      connectionTimeoutMillis: TIMEOUT,
    });
    client.on("error", () => void this.#disconnect(client));
    client.on("end", () => void this.#disconnect(client));
    try {
      await client.connect();
      endWhenSilent(client, TIMEOUT);
      if (this.#runner !== undefined) {
        await client.query(`select pg_advisory_lock(hashtextextended($1, ${RUNNERS}))`, [this.#runner]);
      }
    } catch (error) {
      await client.end().catch(() => undefined);
      await wait(RECONNECT);
      throw error;
    }
    this.#client = client;
    return client;
  }

  async #disconnect(client = this.#client): Promise<void> {
    if (client === this.#client) {
      this.#client = undefined;
      this.#held.clear();
    }
    await client?.end().catch(() => undefined);
  }
}
