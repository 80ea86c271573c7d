import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { EncryptionKey } from "../../../src/config.ts";

const readyLines = { worker: "Working", api: "Serving", serve: "Serving" };

interface ServerProcessOptions {
  command: keyof typeof readyLines;
  databaseUrl: string;
  encryptionKeys: EncryptionKey[];
  port?: number;
  /** How far its machine's clock is ahead. Milliseconds. */
  clockShift?: number;
  healthPort?: number;
  /** The main file of another release. */
  program?: string;
  /** A file to preload. */
  preload?: string;
  /** The limit of open files and sockets. */
  fileLimit?: number;
  /** Additional environment variables. */
  environment?: Record<string, string>;
}

/** The program in a separate process, as operators run it. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #started: Promise<void>;
  #output = "";
  #isAskedToEnd = false;

  constructor(options: ServerProcessOptions) {
    const {
      command,
      databaseUrl,
      encryptionKeys,
      port = 0,
      clockShift = 0,
      healthPort,
      fileLimit,
      environment,
      program = process.env.TEST_PROGRAM!,
    } = options;
    const { preload = "./test/support/programs/shifted-clock.ts" } = options;
    const { NODE_ENV: _, ...inherited } = process.env;
    const limit = fileLimit === undefined ? "" : `ulimit -n ${fileLimit} && `;
    const call = [process.execPath, "--import", preload, "--enable-source-maps", program, command];
    this.#child = spawn("sh", ["-c", `${limit}exec "$@"`, "sh", ...call], {
      env: {
        ...inherited,
        DATABASE_URL: databaseUrl,
        ENCRYPTION_KEYS: encryptionKeys.map(({ name, key }) => `${name}:${key.toString("base64")}`).join(","),
        WEBHOOKS_ALLOW_LOOPBACK: "true",
        LOG_LEVEL: "error",
        PORT: String(port),
        CLOCK_SHIFT: String(clockShift),
        ...(healthPort !== undefined && { HEALTH_PORT: String(healthPort) }),
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines = createInterface({ input: this.#child.stderr! });
    this.#child.stdout!.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#started = new Promise((resolve, reject) => {
      lines.on("line", (line) => {
        this.#output += `${line}\n`;
        if (line.includes(readyLines[command])) resolve();
      });
      this.#child.once("exit", () => reject(new Error(`${command} ended before it had started:\n${this.#output}`)));
    });
    // Handled even if no test awaits it.
    this.#started.catch(() => undefined);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** True when it ended unexpectedly. */
  get hasFallen(): boolean {
    return !this.isRunning && !this.#isAskedToEnd;
  }

  /** The process's output: its log, and its last error if it ended unexpectedly. */
  get output(): string {
    return this.#output;
  }

  /** Settles when it is ready for deliveries or requests. */
  started(): Promise<void> {
    return this.#started;
  }

  /** SIGSTOP: pauses the process while the kernel keeps its connections. */
  suspend(): void {
    this.#child.kill("SIGSTOP");
  }

  /** SIGCONT: resumes the process. */
  resume(): void {
    this.#child.kill("SIGCONT");
  }

  /** SIGKILL: ends the process without cleanup. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    this.#isAskedToEnd = true;
    this.#child.kill(signal);
    await once(this.#child, "exit");
  }
}
