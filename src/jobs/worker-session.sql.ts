// Text, since advisory locks are functions of PostgreSQL, called on the worker's own connection.
import { setTimeout as wait } from "node:timers/promises";
import DataLoader from "dataloader";
import pg from "pg";
import { withSettings, endWhenSilent } from "../platform/postgres/pool.ts";
import type { Logger } from "../platform/telemetry/logger.ts";

/** Namespaces that separate these advisory locks from others and from each other. */
const ENDPOINTS = 7_301;
const RUNNERS = 7_302;
const RECONNECT = 500;
const TIMEOUT = 3_000;
const SWEEP = 1_000;
/** PostgreSQL ends a session that is silent for this long, and releases its locks. Milliseconds. */
const LEASE = 5_000;
/** SQL: asks whether a connection still answers. */
export const PING = "select";
const SETTINGS = { idle_session_timeout: `${LEASE}` };

// graphile-worker releases a dead runner's jobs only after four hours. Two seconds of grace, because a new runner may
// not have its lock yet.
const freeJobs = `
  select graphile_worker.force_unlock_workers(array_agg(id)), array_agg(id) as runners from (
    select distinct locked_by as id from graphile_worker._private_jobs
    where locked_at < now() - interval '2 seconds' and locked_by is distinct from $1 offset 0
  ) locked where pg_try_advisory_xact_lock(hashtextextended(id, ${RUNNERS})) having count(*) > 0`;

const haveEnded = 'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 as "haveEnded"';

/** SQL: calls a lock function for each endpoint. */
const forEach = (lockFunction: string) => `
  select ${lockFunction}(hashtextextended(id, ${ENDPOINTS})) as "isHeld"
  from unnest($1::text[]) with ordinality as endpoint (id, place) order by place`;

/**
 * A worker's dedicated connection and its advisory locks: one for each endpoint that only this worker sends to, and one
 * that shows that its job runner is alive. PostgreSQL releases them when the process ends, and after five seconds of
 * silence. Every second, each worker releases the jobs of dead runners.
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
  /** When the last answered statement was sent. The lease starts then. */
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

  /**
   * Returns true while the worker holds the endpoint. After a pause, PostgreSQL may have given it to another worker.
   */
  holds(endpointId: string): boolean {
    return this.#held.has(endpointId) && performance.now() - this.#renewedAt < LEASE;
  }

  /** Settles when PostgreSQL answers on the session. */
  async ping(): Promise<void> {
    await this.#query(PING, []);
  }

  /** Returns true when this worker now holds the endpoint. */
  acquire(endpointId: string): Promise<boolean> {
    return this.#acquiring.load(endpointId);
  }

  async release(endpointId: string): Promise<void> {
    // No longer held if the connection broke, because PostgreSQL has released it.
    if (this.#held.delete(endpointId)) await this.#releasing.load(endpointId);
  }

  /** Returns true when all transactions with lower ids have ended. */
  async haveEnded(id: string): Promise<boolean> {
    const [row] = await this.#query<{ haveEnded: boolean }>(haveEnded, [id]);
    return row!.haveEnded;
  }

  async #acquire(endpointIds: readonly string[]): Promise<boolean[]> {
    const rows = await this.#query<{ isHeld: boolean }>(forEach("pg_try_advisory_lock"), [endpointIds]);
    rows.forEach(({ isHeld }, index) => isHeld && this.#held.add(endpointIds[index]!));
    return rows.map(({ isHeld }) => isHeld);
  }

  /**
   * Collects the keys that arrive during a statement for the next one. One statement per key would take ten times as
   * long.
   */
  #batched<Result>(work: (keys: readonly string[]) => Promise<Result[]>): DataLoader<string, Result> {
    return new DataLoader(work, { cache: false, batchScheduleFn: (dispatch) => void this.#last.then(dispatch) });
  }

  /** Marks this job runner as alive. Reconnects, which unmarks an earlier runner. */
  async announce(runner: string): Promise<void> {
    this.#runner = runner;
    await this.#last;
    await this.#disconnect();
    await this.ping();
  }

  async #sweep(): Promise<void> {
    try {
      const [freed] = await this.#query<{ runners: string[] }>(freeJobs, [this.#runner]);
      if (freed) this.#logger.warn(freed, "released the jobs of dead runners");
    } catch (error) {
      this.#logger.warn({ err: error }, "the worker cannot reach the database");
    }
  }

  /** Runs statements in order, and reconnects if necessary. */
  #query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const rows = this.#last.then(async () => {
      const client = this.#client ?? (await this.#connect());
      try {
        const sentAt = performance.now();
        const result = await client.query<Row>(text, values);
        this.#renewedAt = sentAt;
        return result.rows;
      } catch (error) {
        // The locks of a failing connection are unknown, so it is closed.
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
