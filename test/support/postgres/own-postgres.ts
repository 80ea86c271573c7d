import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createApp } from "../../../src/app.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../../src/platform/postgres/embedded-postgres.ts";
import { findFreePort } from "../free-port.ts";
import { createLogger } from "../../../src/platform/telemetry/logger.ts";
import { testConfig } from "../config.ts";
import { makeDirectory } from "../directory.ts";
import { isAlive } from "../programs/is-alive.ts";

const DATABASE = "merchant_api";
const START_TIMEOUT = 30_000;

/**
 * Ways in which a server ends. IMMEDIATE is `pg_ctl stop -m immediate`, a SIGQUIT to the postmaster, which ends the
 * others without a checkpoint. KILLED is a SIGKILL to the postmaster, which the others notice.
 */
export type Crash = "IMMEDIATE" | "KILLED";

/** A PostgreSQL server for one test file, which may crash it. Commits survive, as in production. */
export class OwnPostgres {
  readonly #settings: Record<string, string>;
  #server: EmbeddedPostgres | undefined;
  readonly #startServer: typeof startEmbeddedPostgres;
  readonly #openDirectory: () => Promise<string>;
  #dataDir = "";
  #port = 0;

  /** `settings` are those of PostgreSQL. */
  constructor(
    settings: Record<string, string> = {},
    startServer = startEmbeddedPostgres,
    openDirectory = makeDirectory,
  ) {
    this.#settings = settings;
    this.#startServer = startServer;
    this.#openDirectory = openDirectory;
  }

  /** Starts the server with a migrated database. `drop` stops and removes it. */
  readonly open = async (): Promise<{ url: string; drop: () => Promise<void> }> => {
    this.#dataDir = await this.#openDirectory();
    this.#port = await findFreePort();
    await this.start();
    await this.#server!.createDatabase(DATABASE);
    const url = this.#server!.url(DATABASE);
    const app = createApp(testConfig(url), createLogger("silent"));
    await app.migrate();
    await app.close();
    return { url, drop: () => this.#drop() };
  };

  /** Crashes the server. */
  async crash(crash: Crash): Promise<void> {
    const file = join(this.#dataDir, "postgres", "postmaster.pid");
    const pid = Number((await readFile(file, "utf8")).split("\n")[0]);
    process.kill(pid, crash === "IMMEDIATE" ? "SIGQUIT" : "SIGKILL");
    while (isAlive(pid)) await wait(10);
    this.#server = undefined;
  }

  /** Settles when it accepts connections again at the same port. */
  async start(): Promise<void> {
    // The operating system keeps what was written to files, synced or not.
    const settings = { fsync: "off", full_page_writes: "off", ...this.#settings, port: String(this.#port) };
    for (const end = performance.now() + START_TIMEOUT; ; await wait(50)) {
      try {
        this.#server = await this.#startServer({ dataDir: this.#dataDir, settings });
        return;
      } catch (error) {
        // The processes of a killed server end slightly later, and block a new server until then.
        if (performance.now() > end) throw error;
      }
    }
  }

  async #drop(): Promise<void> {
    await this.#server?.stop();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
