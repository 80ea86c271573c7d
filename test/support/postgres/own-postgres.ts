import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createApp } from "../../../src/app.ts";
import {
  findFreePort,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "../../../src/platform/postgres/embedded-postgres.ts";
import { createLogger } from "../../../src/platform/telemetry/logger.ts";
import { testConfig } from "../config.ts";
import { makeDirectory } from "../directory.ts";
import { isAlive } from "../programs/is-alive.ts";

const DATABASE = "merchant_api";
const START_TIMEOUT = 30_000;

/**
 * The ways in which a server ends: IMMEDIATE is what `pg_ctl stop -m immediate` does, SIGQUIT to the first of its processes, which
 * ends the others without a checkpoint; KILLED is SIGKILL to the first, whose end the others notice.
 */
export type Crash = "IMMEDIATE" | "KILLED";

/** A PostgreSQL server for one test file, which may crash it. Commits survive that, as they do in production. */
export class OwnPostgres {
  #server: EmbeddedPostgres | undefined;
  #dataDir = "";
  #port = 0;

  /** Starts it, with a migrated database. `drop` stops it and removes it. */
  readonly open = async (): Promise<{ url: string; drop: () => Promise<void> }> => {
    this.#dataDir = await makeDirectory();
    this.#port = await findFreePort();
    await this.start();
    await this.#server!.createDatabase(DATABASE);
    const url = this.#server!.url(DATABASE);
    const app = createApp(testConfig(url), createLogger("silent"));
    await app.migrate();
    await app.close();
    return { url, drop: () => this.#drop() };
  };

  /** Ends the server without a goodbye. */
  async crash(crash: Crash): Promise<void> {
    const file = join(this.#dataDir, "postgres", "postmaster.pid");
    const pid = Number((await readFile(file, "utf8")).split("\n")[0]);
    process.kill(pid, crash === "IMMEDIATE" ? "SIGQUIT" : "SIGKILL");
    while (isAlive(pid)) await wait(10);
    this.#server = undefined;
  }

  /** Settles when it accepts connections, at the same port as ever. */
  async start(): Promise<void> {
    // The operating system goes on: what was written to it is there, synchronised or not.
    const settings = { fsync: "off", full_page_writes: "off", port: String(this.#port) };
    for (const end = performance.now() + START_TIMEOUT; ; await wait(50)) {
      try {
        this.#server = await startEmbeddedPostgres({ dataDir: this.#dataDir, settings });
        return;
      } catch (error) {
        // The processes of a killed server end a moment after it, and until then there can be no other.
        if (performance.now() > end) throw error;
      }
    }
  }

  async #drop(): Promise<void> {
    await this.#server?.stop();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
