import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { EncryptionKey } from "../../src/config.ts";

/** A worker as operators run it: a process of its own. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #started: Promise<void>;

  constructor(options: { databaseUrl: string; encryptionKeys: EncryptionKey[] }) {
    const { NODE_ENV: _, ...inherited } = process.env;
    this.#child = spawn(process.execPath, ["--import", "tsx", "src/main.ts", "worker"], {
      env: {
        ...inherited,
        DATABASE_URL: options.databaseUrl,
        ENCRYPTION_KEYS: options.encryptionKeys.map(({ name, key }) => `${name}:${key.toString("base64")}`).join(","),
        WEBHOOKS_ALLOW_LOOPBACK: "true",
        LOG_LEVEL: "error",
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines = createInterface({ input: this.#child.stderr! });
    this.#started = new Promise((resolve, reject) => {
      lines.on("line", (line) => line.includes("Working") && resolve());
      this.#child.once("exit", () => reject(new Error("The worker ended before it worked")));
    });
    // Nobody may be waiting for it.
    this.#started.catch(() => undefined);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Settles when it takes deliveries. */
  started(): Promise<void> {
    return this.#started;
  }

  /** SIGKILL: it cannot say goodbye. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    this.#child.kill(signal);
    await once(this.#child, "exit");
  }
}
