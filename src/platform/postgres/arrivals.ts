import pg from "pg";
import { Counts } from "../counts.ts";
import { KEEP_ALIVE, withSettings } from "./pool.ts";
import type { Logger } from "../telemetry/logger.ts";

/** Callers of one tenant that may wait in this process. */
const MAX_WAITING = 20;

interface Options {
  url: string;
  /** Each notification on this channel has the name of what arrived, and may have a message after a space. */
  channel: string;
  logger: Logger;
}

/** Starts a wait: what arrives from now on ends it, with its message. Empty without one. */
export type PrepareWait = () => Promise<{ woken: Promise<string> }>;

/** Wakes callers when PostgreSQL announces what they wait for. One connection, opened by the first, listens for all. */
export class Arrivals {
  readonly #options: Options;
  readonly #waiting = new Map<string, Set<(message: string) => void>>();
  readonly #counts = new Counts();
  #connection: Promise<pg.Client> | undefined;
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Returns true while one more caller of the tenant may wait. */
  hasRoom(tenant: string): boolean {
    return !this.#isStopped && this.#counts.of(tenant) < MAX_WAITING;
  }

  get waiting(): number {
    return this.#counts.total;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Does the work of a caller that waits for this name, as often as it wants. */
  async during<Result>(
    { tenant, name }: { tenant: string; name: string },
    work: (prepare: PrepareWait) => Promise<Result>,
  ): Promise<Result> {
    let wake = (_message: string) => {};
    const caller = (message: string) => wake(message);
    const callers = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, callers.add(caller));
    const prepare = async () => {
      const woken = new Promise<string>((resolve) => (wake = resolve));
      if (this.#isStopped) wake("");
      else await this.#listen();
      return { woken };
    };
    try {
      return await this.#counts.during(tenant, () => work(prepare));
    } finally {
      callers.delete(caller);
      if (callers.size === 0) this.#waiting.delete(name);
    }
  }

  /** Wakes all callers, and lets no others wait. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wakeAll();
    const client = await this.#connection?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  #listen(): Promise<pg.Client> {
    if (this.#connection) return this.#connection;
    const connection = this.#connect(() => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    return (this.#connection = connection);
  }

  /** @param onEnd called when the connection ends or cannot be opened */
  async #connect(onEnd: () => void): Promise<pg.Client> {
    const { url, channel, logger } = this.#options;
    const client = new pg.Client({
      ...KEEP_ALIVE,
      connectionString: withSettings(url),
      application_name: "merchant-api listener",
      connectionTimeoutMillis: 3_000,
    });
    client.on("notification", ({ payload = "" }) => {
      const [name = "", ...words] = payload.split(" ");
      this.#waiting.get(name)?.forEach((wake) => wake(words.join(" ")));
    });
    client.on("error", ({ message }) => logger.warn({ reason: message }, "the listening connection broke"));
    // Something may have arrived unnoticed, so everyone looks again, and connects again.
    client.on("end", () => {
      onEnd();
      this.#wakeAll();
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      return client;
    } catch (error) {
      onEnd();
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  #wakeAll(): void {
    for (const callers of this.#waiting.values()) for (const wake of callers) wake("");
  }
}
