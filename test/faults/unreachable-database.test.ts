import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { findFreePort } from "../support/free-port.ts";
import { reachDatabase } from "../../src/platform/postgres/reach-database.ts";
import { query } from "../support/database.ts";
import { runCommand } from "../support/programs/command.ts";
import { eventually } from "../support/eventually.ts";
import { OwnPostgres } from "../support/postgres/own-postgres.ts";
import { ServerProcess } from "../support/programs/server-process.ts";

const createKey = "keys create --shop shop_x --name ERP --scope read_orders".split(" ");

describe("An unusable database", function () {
  this.timeout(120_000);
  const encryptionKeys = [{ name: "test", key: randomBytes(32) }];
  const ENCRYPTION_KEYS = encryptionKeys.map(({ name, key }) => `${name}:${key.toString("base64")}`).join();
  const postgres = new OwnPostgres();
  let database: Awaited<ReturnType<typeof postgres.open>>;

  before(async () => {
    database = await postgres.open();
  });

  after(() => database.drop());

  /** The output that the operator reads, with a connection string that was changed. */
  async function failure(command: string[], change: (url: URL) => void): Promise<string> {
    const url = new URL(database.url);
    change(url);
    const { code, stdout, stderr } = await runCommand(command, { DATABASE_URL: url.href, ENCRYPTION_KEYS, PORT: "0" });
    expect([code, stdout]).to.deep.equal([1, ""]);
    expect(stderr).not.to.match(/^\s+at /m);
    for (const { password } of [url, new URL(database.url)]) expect(stderr).not.to.include(password);
    return stderr;
  }

  const start = (command: "serve" | "api" | "worker") =>
    new ServerProcess({ command, databaseUrl: database.url, encryptionKeys });

  /** Settles when the process has reported that the database is unreachable. */
  async function waiting(process: ServerProcess): Promise<ServerProcess> {
    await eventually(
      () => process.output,
      (output) => output.includes("Retrying until it is available"),
      60_000,
    );
    return process;
  }

  const place = () => {
    const { hostname, port } = new URL(database.url);
    return `${hostname}:${port}`;
  };

  for (const command of [["serve"], ["api"], ["worker"], ["migrate"], createKey]) {
    it(`is reported by ${command.join(" ")} in one line for a wrong password`, async () => {
      const output = await failure(command, (url) => (url.password = "wrong-secret"));
      expect(output).to.equal(
        `Cannot connect to PostgreSQL at ${place()}, database merchant_api, as postgres: ` +
          'password authentication failed for user "postgres"\n',
      );
    });
  }

  it("is awaited when the connection is lost again during the first statement", async () => {
    let count = 0;
    await reachDatabase(database.url, {}, async () => {
      count += 1;
      if (count === 1) await query(database.url, "select pg_terminate_backend(pg_backend_pid())");
    });
    expect(count).to.equal(2);
  });

  it("is reported in one line if it does not exist", async () => {
    const output = await failure(["api"], (url) => (url.pathname = "/nowhere"));
    expect(output).to.equal(
      `Cannot connect to PostgreSQL at ${place()}, database nowhere, as postgres: database "nowhere" does not exist\n`,
    );
  });

  it("is reported and awaited for ten seconds by a command for one task", async () => {
    const port = String(await findFreePort());
    const refused = await failure(createKey, (url) => (url.port = port));
    const message = `Cannot connect to PostgreSQL at 127.0.0.1:${port}, database merchant_api, as postgres: connect ECONNREFUSED 127.0.0.1:${port}`;
    expect(refused).to.equal(`› ${message}. Retrying for 10 seconds\n${message}\n`);
    const unknown = await failure(createKey, (url) => (url.hostname = "database.invalid"));
    expect(unknown).to.match(/^› .* database\.invalid:\d+, .*(ENOTFOUND|EAI_AGAIN)/);
  });

  it("is awaited with one line by processes that start with it, and used once it is available", async () => {
    await postgres.crash("IMMEDIATE");
    const processes = (["serve", "api", "worker"] as const).map(start);
    const migrating = runCommand(["migrate"], { DATABASE_URL: database.url });
    try {
      for (const { output } of await Promise.all(processes.map(waiting))) {
        expect(output.match(/Cannot connect/g)).to.have.length(1);
      }
      // Longer than other commands wait.
      await wait(12_000);
      expect(processes.filter(({ hasFallen }) => hasFallen)).to.deep.equal([]);
      await postgres.start();
      await Promise.all(processes.map((process) => process.started()));
      const { code, stderr } = await migrating;
      expect([code, stderr.match(/Retrying for 60 seconds\n/g)!.length]).to.deep.equal([0, 1]);
      for (const { output } of processes) expect(output.match(/Cannot connect/g)).to.have.length(1);
    } finally {
      await Promise.all(processes.map((process) => process.stop()));
    }
  });

  it("is not awaited after a signal to stop", async () => {
    await postgres.crash("IMMEDIATE");
    const process = start("worker");
    await waiting(process);
    await process.stop();
    expect(process.output).to.match(/› Stopping\n$/);
    await postgres.start();
  });
});
