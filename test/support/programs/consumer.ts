import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeDirectory } from "../directory.ts";

interface ConsumerOptions {
  url: string;
  token: string;
  shopId: string;
  endpointId: string;
  /** Seconds, instead of a minute. */
  lease: number;
}

/** The documented consumer of a pull endpoint, which keeps what it handled while it is killed and started. */
export class Consumer {
  #child: ChildProcess | undefined;
  #directory = "";
  output = "";

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  async start({ url, token, shopId, endpointId, lease }: ConsumerOptions): Promise<void> {
    this.#directory ||= await makeDirectory();
    const documented = await readFile("docs/receivers/typescript/consumer.ts", "utf8");
    const program = join(this.#directory, "consumer.ts");
    await writeFile(program, documented.replace("leaseSeconds: 60", `leaseSeconds: ${lease}`));
    const settings = {
      BASE_URL: url,
      TOKEN: token,
      SHOP_ID: shopId,
      ENDPOINT_ID: endpointId,
      DATABASE: this.#database,
    };
    const env = { ...process.env, NODE_OPTIONS: "", ...settings };
    this.#child = spawn(process.execPath, ["--no-warnings", program], { env });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  /** SIGKILL: ends it without cleanup. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    this.#child!.kill("SIGKILL");
    await once(this.#child!, "exit");
  }

  /** The ids of the events that it handled. */
  handled(): string[] {
    const database = new DatabaseSync(this.#database, { readOnly: true });
    const rows = database.prepare("select id from handled order by id").all();
    database.close();
    return rows.map(({ id }) => String(id));
  }

  get #database(): string {
    return join(this.#directory, "handled.db");
  }
}
