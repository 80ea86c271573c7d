import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { JOB_QUEUE_VERSION } from "../../src/platform/postgres/schema-version.ts";
import { runCommand } from "../support/programs/command.ts";
import { cloneDatabase, query } from "../support/database.ts";

describe("merchant-api migrate --status", function () {
  this.timeout(120_000);
  let database: Awaited<ReturnType<typeof cloneDatabase>>;

  afterEach(() => database.drop());

  async function status() {
    const { code, stdout } = await runCommand(["migrate", "--status", "--json"], { DATABASE_URL: database.url });
    const rows = JSON.parse(stdout) as { name: string; state: string; appliedAt: string | null }[];
    return {
      code,
      states: rows.map(({ name, state }) => [name, state]),
      times: rows.map(({ appliedAt }) => appliedAt),
    };
  }

  const jobs = `graphile-worker ${JOB_QUEUE_VERSION}`;

  it("lists the pending migrations of an empty database, and applies none", async () => {
    database = await cloneDatabase("template0");
    const { code, states, times } = await status();
    expect(states).to.deep.equal([jobs, "0001-initial"].map((name) => [name, "WAITING"]));
    expect([code, ...times]).to.deep.equal([2, null, null]);
    const tables = "select 1 from information_schema.tables where table_schema = 'public'";
    expect(await query(database.url, tables)).to.deep.equal([]);
  });

  it("lists applied migrations, and those of a later version", async () => {
    database = await cloneDatabase();
    await query(database.url, "insert into migrations (name) values ('9999-later')");
    const { code, states, times } = await status();
    expect(states).to.deep.equal([
      [jobs, "APPLIED"],
      ["0001-initial", "APPLIED"],
      ["9999-later", "LATER"],
    ]);
    expect(code).to.equal(0);
    for (const time of times) expect(Date.parse(time!)).to.be.a("number").and.not.NaN;
  });

  it("is suggested by other commands on an older schema", async () => {
    database = await cloneDatabase();
    await query(database.url, "alter table staff drop column disabled_at");
    const command = ["staff", "disable", "--email", "ada@example.com"];
    expect(await runCommand(command, { DATABASE_URL: database.url })).to.deep.equal({
      code: 1,
      stdout: "",
      stderr: "The database does not have the schema of this version. See: merchant-api migrate --status\n",
    });
  });

  it("lists pending migrations of graphile-worker", async () => {
    database = await cloneDatabase();
    await query(database.url, `delete from graphile_worker.migrations where id = ${JOB_QUEUE_VERSION}`);
    const { code, states } = await status();
    expect([code, states]).to.deep.equal([
      2,
      [
        [jobs, "WAITING"],
        ["0001-initial", "APPLIED"],
      ],
    ]);
  });
});

describe("merchant-api --version", function () {
  this.timeout(120_000);

  it("prints the version of the package", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    expect(await runCommand(["--version"], {})).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});
