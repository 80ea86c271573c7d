import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Migration } from "@mikro-orm/migrations";
import { expect } from "chai";
import { migrations } from "../../migrations/index.ts";
import { digestOf, JOB_QUEUE_VERSION } from "../../src/platform/postgres/schema-version.ts";
import { runCommand } from "../support/programs/command.ts";
import { cloneDatabase, query } from "../support/database.ts";

const names = migrations.map(({ name }) => name);

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
    expect(states).to.deep.equal([jobs, ...names].map((name) => [name, "WAITING"]));
    expect(code).to.equal(2);
    expect(times.every((time) => time === null)).to.equal(true);
    const tables = "select 1 from information_schema.tables where table_schema = 'public'";
    expect(await query(database.url, tables)).to.deep.equal([]);
  });

  it("lists applied migrations, and those of a later version", async () => {
    database = await cloneDatabase();
    await query(database.url, "insert into migrations (name) values ('9999-later')");
    const { code, states, times } = await status();
    expect(states).to.deep.equal([...[jobs, ...names].map((name) => [name, "APPLIED"]), ["9999-later", "LATER"]]);
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
    expect(code).to.equal(2);
    expect(states).to.deep.equal([[jobs, "WAITING"], ...names.map((name) => [name, "APPLIED"])]);
  });
});

describe("A database that another version made", function () {
  this.timeout(120_000);
  const commands = [["migrate"], ["migrate", "--status"], ["shops", "list"], ["api"], ["worker"], ["serve"]];

  for (const [what, change] of [
    ["has another digest", "update migrations set digest = 'another'"],
    ["has no digest, as before digests were stored", "alter table migrations drop column digest"],
  ] as const) {
    it(`is refused by each command and left unchanged if it ${what}`, async () => {
      const database = await cloneDatabase();
      const ENCRYPTION_KEYS = `a:${randomBytes(32).toString("base64")}`;
      await query(database.url, change);
      const before = await query(database.url, "select * from migrations");
      for (const command of commands) {
        const { code, stdout, stderr } = await runCommand(command, {
          DATABASE_URL: database.url,
          ENCRYPTION_KEYS,
          PORT: "0",
        });
        expect({ command, code, stdout }).to.deep.equal({ command, code: 1, stdout: "" });
        expect(stderr).to.include(`made this database (different: ${names.join(", ")}). Nothing was changed. `);
        expect(stderr).to.match(/^Another version of .*merchant-api export .*merchant-api import .*\n$/);
      }
      expect(await query(database.url, "select * from migrations")).to.deep.equal(before);
      await database.drop();
    });
  }

  it("is recognized by the statements of its migrations, without comments and line breaks", () => {
    const digest = (sql: string) =>
      digestOf({
        name: "0001",
        class: class extends Migration {
          override up = (): void => this.addSql(sql);
        },
      });
    expect(digest("create table a (b text)")).to.equal(digest("\r\n create table a -- Why.\r\n   (b text)"));
    expect(digest("create table a (b text)")).not.to.equal(digest("create table a (c text)"));
  });
});

describe("merchant-api migrate", function () {
  this.timeout(120_000);

  it("prints what it has done", async () => {
    const database = await cloneDatabase("template0");
    const run = () => runCommand(["migrate"], { DATABASE_URL: database.url });
    const done = { code: 0, stdout: "" };
    const first = `› Applied ${names.length + 1} migrations: graphile-worker ${JOB_QUEUE_VERSION}, ${names.join(", ")}\n`;
    expect(await run()).to.deep.equal({ ...done, stderr: first });
    expect(await run()).to.deep.equal({ ...done, stderr: "› Already up to date\n" });
    await database.drop();
  });

  it("ends after --wait seconds without a database, for an unknown host too", async () => {
    for (const host of ["127.0.0.1:1", "database.invalid"]) {
      const url = `postgres://user:hunter2@${host}/merchant`;
      const { code, stderr } = await runCommand(["migrate", "--wait", "1"], { DATABASE_URL: url });
      expect(code).to.equal(1);
      expect(stderr)
        .to.match(/^› Cannot connect .*Retrying for 1 seconds\nCannot connect .*\n$/)
        .and.not.include("hunter2");
    }
  });

  it("refuses a PostgreSQL that is too old", async () => {
    const database = await cloneDatabase("template0");
    await query(
      database.url,
      `create schema old; create function old.current_setting(text) returns text language sql as
        $$ select case $1 when 'server_version_num' then '140012' else '14.12' end $$`,
    );
    const url = new URL(database.url);
    url.searchParams.set("options", "-c search_path=old,pg_catalog,public");
    expect(await runCommand(["migrate"], { DATABASE_URL: url.href })).to.deep.equal({
      code: 1,
      stdout: "",
      stderr: "This version needs PostgreSQL 15 or later, and this server is 14.12\n",
    });
    await database.drop();
  });
});

describe("merchant-api --version", function () {
  this.timeout(120_000);

  it("prints the version of the package", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    expect(await runCommand(["--version"], {})).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});
