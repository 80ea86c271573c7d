import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { startEmbeddedPostgres } from "../../src/platform/postgres/embedded-postgres.ts";
import { makeDirectory } from "../support/directory.ts";
import { programArguments } from "../support/programs/program.ts";

describe("A signal during the start", function () {
  this.timeout(120_000);
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await makeDirectory();
  });

  // Takes over what a failed test has left running.
  afterEach(async () => {
    await (await startEmbeddedPostgres({ dataDir })).stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Sends the signal when the line is printed: to the process, or to its whole group, as Ctrl-C at a terminal does. */
  async function interrupt(
    command: string,
    { line, signal, isGroup = false }: { line: string; signal: "SIGINT" | "SIGTERM"; isGroup?: boolean },
  ) {
    const child = spawn(process.execPath, programArguments(command), {
      detached: true,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: "0" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    createInterface({ input: child.stderr }).on("line", (text) => {
      output += `${text}\n`;
      if (text.includes(line)) process.kill(isGroup ? -child.pid! : child.pid!, signal);
    });
    const [code] = await once(child, "close");
    return { code, output };
  }

  const isRunning = () => existsSync(join(dataDir, "postgres", "postmaster.pid"));

  for (const [doing, line] of [
    ["the cluster is made", "Creating the embedded PostgreSQL cluster"],
    ["PostgreSQL starts", "Starting the embedded PostgreSQL"],
    ["the database is migrated", "Migrating the database"],
    ["the demo is made", "Creating demo data"],
  ] as const) {
    for (const how of [{ signal: "SIGTERM" }, { signal: "SIGINT", isGroup: true }] as const) {
      it(`stops the embedded PostgreSQL while ${doing}: ${how.signal}`, async () => {
        const { code, output } = await interrupt("serve", { line, ...how });
        expect(isRunning(), output).to.equal(false);
        expect(output).to.match(/› Stopping\n$/);
        expect(code).to.equal(1);
        const rest = await readdir(dataDir);
        expect(rest.filter((name) => name.startsWith("postgres.new-"))).to.deep.equal([]);
      });
    }
  }

  it("stops everything that a single command started", async () => {
    const { code, output } = await interrupt("demo", { line: "Creating demo data", signal: "SIGTERM" });
    expect(isRunning(), output).to.equal(false);
    expect(code).to.equal(1);
  });
});
