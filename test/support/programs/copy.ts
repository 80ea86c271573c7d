import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeDirectory } from "../directory.ts";
import type { World } from "../world.ts";

const DOCUMENTED = "docs/receivers/typescript/copy.ts";

export interface CopyOptions {
  mode: "push" | "pull" | "poll";
  /** The address of the service. */
  url: string;
  token: string;
  shopId: string;
  /** Where it is sent events. */
  port: number;
  /** The time from one walk to the next. A day by default. Milliseconds. */
  walkEvery?: number;
}

export type Records = Record<string, { version: number; [field: string]: unknown }>;

/** The documented program that copies a shop, with short pauses, which keeps its file while it is killed and started. */
export class Copy {
  #child: ChildProcess | undefined;
  #directory = "";
  output = "";

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  async start({ mode, url, token, shopId, port, walkEvery = 86_400_000 }: CopyOptions): Promise<void> {
    this.#directory ||= await makeDirectory();
    const documented = await readFile(DOCUMENTED, "utf8");
    const program = join(this.#directory, "copy.ts");
    const pauses = `[${walkEvery}, 200, 60_000]`;
    const shortened = documented
      .replace("[86_400_000, 60_000, 60_000]", pauses)
      .replace("leaseSeconds: 60", "leaseSeconds: 5");
    await writeFile(program, shortened);
    const settings = { BASE_URL: url, TOKEN: token, SHOP_ID: shopId, MODE: mode };
    const address = { PUBLIC_URL: `http://127.0.0.1:${port}/`, PORT: String(port) };
    this.#child = spawn(process.execPath, ["--no-warnings", program], {
      cwd: this.#directory,
      env: { ...process.env, NODE_OPTIONS: "", ...settings, ...address },
    });
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

  /** The records of the copy, by id. */
  records(): Records {
    const rows = this.#read("select id, version, body from records");
    return Object.fromEntries(rows.map(({ id, version, body }) => [id, { version, ...JSON.parse(String(body)) }]));
  }

  /** The number of events that it has yet to handle. */
  queued(): number {
    return this.#read("select id from queue").length;
  }

  /** Empty before it has a file. */
  #read(statement: string): Record<string, unknown>[] {
    const path = join(this.#directory, "copy.db");
    if (!existsSync(path)) return [];
    const file = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      return file.prepare(statement).all();
    } catch (error) {
      if (String(error).includes("no such table")) return [];
      throw error;
    } finally {
      file.close();
    }
  }
}

/** The records of the shop with the fields that the program reads, by id. */
export async function readShop({ ask }: Pick<World, "ask">): Promise<Records> {
  const [, text] = /const lists[^=]*= (\{.*?\n\});/s.exec(await readFile(DOCUMENTED, "utf8"))!;
  const lists = new Function(`return ${text}`)() as Record<string, string>;
  const all: Records = {};
  for (const [list, fields] of Object.entries(lists)) {
    let after: string | null = null;
    do {
      const document = `query ($shopId: ID!, $after: String) { shop(id: $shopId) {
        page: ${list}(limit: 100, after: $after) { nextCursor items { ${fields} } } } }`;
      const { data, errors } = await ask(document, { after });
      if (errors.length > 0) throw new Error(JSON.stringify(errors));
      const { items, nextCursor } = data.shop.page;
      for (const { id, ...record } of items) all[id] = record;
      after = nextCursor;
    } while (after !== null);
  }
  return all;
}
