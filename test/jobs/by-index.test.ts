import { expect } from "chai";
import type { Kysely } from "kysely";
import { projections, runStatement, type Database } from "../../src/core/database.ts";
import { openByIndex } from "../../src/jobs/by-index.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { useServer } from "../support/server.ts";

describe("The recorder's connection", () => {
  const server = useServer();
  let byIndex: Kysely<Database>;

  beforeEach(() => {
    byIndex = openByIndex(server.databaseUrl, createLogger("silent"));
  });

  afterEach(() => byIndex.destroy());

  it("goes by index also in a table that is known to be empty", async () => {
    await query(server.databaseUrl, "create table nothing (id text primary key, count int)");
    await query(server.databaseUrl, "vacuum analyze nothing");
    const explain = async (database: Kysely<Database>) => {
      const text =
        "explain update nothing set count = 1 from unnest($1::text[]) as asked (id) where nothing.id = asked.id";
      const lines = await runStatement<{ "QUERY PLAN": string }>(database, text, [["one", "two"]]);
      return lines.map((line) => line["QUERY PLAN"]).join("\n");
    };
    expect(await explain(projections(server.em))).to.include("Seq Scan on nothing");
    expect(await explain(byIndex))
      .to.include("Index Scan using nothing_pkey")
      .and.not.to.include("Seq Scan");
  });

  it("is made anew when it breaks while it is used", async () => {
    const pidOf = async (database: Kysely<Database>) => {
      const [row] = await runStatement<{ pid: number }>(database, "select pg_backend_pid() as pid", []);
      return row!.pid;
    };
    const lost = await byIndex.connection().execute(async (connection) => {
      const pid = await pidOf(connection);
      await query(server.databaseUrl, "select pg_terminate_backend($1, 1000)", [pid]);
      await eventually(
        () => pidOf(connection).catch(() => undefined),
        (known) => known === undefined,
      );
      return pid;
    });
    expect(await pidOf(byIndex))
      .to.be.a("number")
      .and.not.to.equal(lost);
  });
});
