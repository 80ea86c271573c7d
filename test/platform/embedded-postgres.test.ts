import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../src/platform/postgres/embedded-postgres.ts";
import { query } from "../support/database.ts";
import { makeDirectory } from "../support/directory.ts";

describe("The embedded PostgreSQL", () => {
  let dataDir: string;
  const running = new Set<EmbeddedPostgres>();

  before(async () => {
    dataDir = await makeDirectory();
  });

  afterEach(async () => {
    for (const postgres of running) await postgres.stop();
    running.clear();
  });

  async function start(): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
    running.add(postgres);
    await postgres.createDatabase("kept");
    return postgres;
  }

  async function read(postgres: EmbeddedPostgres): Promise<unknown> {
    const [row] = await query(postgres.url("kept"), "select value from remembered");
    return row!.value;
  }

  it("creates a cluster, stops, and keeps the data for the next start", async () => {
    const postgres = await start();
    const url = postgres.url("kept");
    await query(url, "create table remembered as select 'first' as value");
    expect((await query(url, "show server_encoding"))[0]!.server_encoding).to.equal("UTF8");
    await postgres.stop();
    const outcome = await query(url, "select 1").catch((error: NodeJS.ErrnoException) => error.code);
    expect(outcome).to.equal("ECONNREFUSED");
    expect(await read(await start())).to.equal("first");
  });

  it("listens on this machine only, with its own password", async () => {
    const postgres = await start();
    const url = new URL(postgres.url("kept"));
    expect(url.hostname).to.equal("127.0.0.1");
    expect(url.password).to.have.length.greaterThan(20);
    const [row] = await query(postgres.url("kept"), "show listen_addresses");
    expect(row!.listen_addresses).to.equal("127.0.0.1");
    url.password = "wrong";
    const outcome = await query(url.href, "select 1").catch((error: { code?: string }) => error.code);
    expect(outcome).to.equal("28P01");
    const { mode } = await stat(join(dataDir, "postgres-password"));
    expect(mode & 0o077).to.equal(0);
    expect((await readFile(join(dataDir, "postgres-password"), "utf8")).trim()).to.equal(
      new URL(postgres.url("x")).password,
    );
  });

  it("refuses a second process with a clear error, and continues for the first", async () => {
    const postgres = await start();
    const outcome = await startEmbeddedPostgres({ dataDir }).catch(String);
    expect(outcome).to.equal(
      `OperatorError: Another process is using ${dataDir}. Stop it, or set DATA_DIR to another directory.`,
    );
    expect(await read(postgres)).to.equal("first");
  });

  async function raceFor(directory: string): Promise<void> {
    const race = [1, 2].map(async () => running.add(await startEmbeddedPostgres({ dataDir: directory })));
    const outcomes = await Promise.allSettled(race);
    const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []));
    expect(refusals).to.deep.equal([
      `OperatorError: Another process is using ${directory}. Stop it, or set DATA_DIR to another directory.`,
    ]);
  }

  it("starts for one of two concurrent processes, and refuses the other", () => raceFor(dataDir));

  it("is created by one of two concurrent processes", async () => {
    const fresh = await makeDirectory();
    try {
      await raceFor(fresh);
    } finally {
      for (const postgres of running) await postgres.stop();
      running.clear();
    }
  });

  /** Starts with another content of a file. Returns the error, after which no server runs. */
  async function refusalWith(name: string, content: string): Promise<string> {
    const file = join(dataDir, name);
    const kept = await readFile(file);
    await writeFile(file, content);
    const refusal = await start().catch((error: Error) => `${error.name}: ${error.message}`);
    await writeFile(file, kept);
    expect(existsSync(join(dataDir, "postgres/postmaster.pid"))).to.equal(false);
    return String(refusal);
  }

  it("is stopped if its password was lost", async () => {
    expect(await refusalWith("postgres-password", "another")).to.equal(
      `OperatorError: Cannot connect to PostgreSQL in ${dataDir}/postgres: password authentication failed for user "postgres"`,
    );
  });

  it("reports why it cannot start", async () => {
    expect(await refusalWith("postgres/PG_VERSION", "17\n")).to.match(
      /^OperatorError: PostgreSQL cannot start in \S+: database files are incompatible with server\. The data directory was .* version 17,/,
    );
  });

  it("is taken over after its process was killed", async () => {
    const script = `
      import { startEmbeddedPostgres } from ${JSON.stringify(new URL("../../src/platform/postgres/embedded-postgres.ts", import.meta.url).href)};
      const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
      process.stdout.write(postgres.url("kept"));
      setInterval(() => undefined, 1_000);`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [orphanUrl] = await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    await query(String(orphanUrl), "update remembered set value = 'orphaned'");
    const postgres = await start();
    expect(postgres.url("kept")).to.equal(String(orphanUrl));
    expect(await read(postgres)).to.equal("orphaned");
  });
});
