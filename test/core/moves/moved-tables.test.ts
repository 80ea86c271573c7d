import { expect } from "chai";
import { listMovedTables, sealedColumns } from "../../../src/core/moves/moved-tables.ts";
import { sealOwners } from "../../../src/core/moves/row-writer.ts";
import { kysely } from "../../../src/core/queries/database.ts";
import { query } from "../../support/database.ts";
import { useServer } from "../../support/server.ts";

/** Tables without a shop or member, or whose rows do not move, with the reasons. */
const staying = {
  import_chunks: "kept for a day",
  import_items: "kept for a day",
  imports: "the audit log has the results",
  known_devices: "the cookies of another place",
  login_attempts: "counts of the guesses at one place",
  migrations: "compared, and not moved",
  password_resets: "links to another place",
  record_counts: "counted by triggers as the rows come in",
  sessions: "the cookies of another place",
};

describe("Tables that move with a shop", () => {
  const server = useServer();
  const listTables = () => listMovedTables(kysely(server.em));

  it("are all tables, except those with a reason to stay", async () => {
    const rows = await query<{ name: string }>(
      server.databaseUrl,
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const moved = (await listTables()).map(({ name }) => name);
    expect([...moved, ...Object.keys(staying)].toSorted()).to.deep.equal(rows.map(({ name }) => name).toSorted());
  });

  it("follow the tables that they refer to, with encrypted columns first", async () => {
    const tables = await listTables();
    const names = tables.map(({ name }) => name);
    for (const [index, { refersTo }] of tables.entries()) {
      expect(names.slice(0, index + 1)).to.include.members(refersTo);
    }
    expect(names.slice(0, 4)).to.have.members(["shops", "webhook_endpoints", "staff", "second_factors"]);
  });

  it("name the owner of each encrypted column", async () => {
    const sealed = (await listTables()).flatMap((table) => sealedColumns(table).map((name) => `${table.name}.${name}`));
    expect(Object.keys(sealOwners).toSorted()).to.deep.equal(sealed.toSorted());
  });
});
