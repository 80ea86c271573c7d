import { expect } from "chai";
import { cloneDatabase, query } from "../support/database.ts";
import { useServer, type TestServer } from "../support/server.ts";

/**
 * Statements for what only the migration defines, because no code reads it from an entity: indexes, checks, foreign
 * keys, and keys of deliveries that start with the id.
 */
const migrationAlone = [
  /^drop index /,
  /drop constraint "\w+_(key|fkey|check\d*)"$/,
  /^alter table "(outstanding_)?deliveries" (drop constraint "\w+_pkey"|add primary key \("shop_id", "id"\))$/,
];

/** Statements that would change the server's database to match the entities. */
async function difference({ app }: TestServer): Promise<string[]> {
  const { orm } = app.core;
  Object.assign(orm.config.get("schemaGenerator"), {
    // The job queue's.
    ignoreSchema: ["graphile_worker"],
    skipViews: ["delivery_states"],
    // The triggers count records.
    ignoreTriggers: true,
    createForeignKeyConstraints: false,
  });
  // Of the columns, their collations and defaults are the migration's alone.
  for (const { props } of orm.getMetadata().getAll().values()) {
    for (const prop of props) prop.ignoreSchemaChanges = ["collation", "default"];
  }
  const statements = await orm.schema.getUpdateSchemaSQL({ wrap: false });
  return statements
    .split(/;\n+/)
    .filter((statement) => statement !== "" && !migrationAlone.some((pattern) => pattern.test(statement)));
}

describe("Entities", () => {
  const server = useServer();

  it("describe every table of the migrated database", async () => {
    expect(await difference(server)).to.deep.equal([]);
  });

  // Otherwise the test above could not fail.
  describe("for another database", () => {
    const changes = `
      create table notes (id text primary key);
      alter table sessions drop column user_agent cascade;
      alter table service_tokens alter expires_at type timestamptz`;

    const changed = useServer({
      openDatabase: async () => {
        const database = await cloneDatabase();
        await query(database.url, changes);
        return database;
      },
    });

    it("report each difference", async () => {
      const statements = await difference(changed);
      expect(statements.toSorted()).to.deep.equal([
        'alter table "service_tokens" alter column "expires_at" type timestamptz(3) using ("expires_at"::timestamptz(3))',
        'alter table "sessions" add "user_agent" text null',
        'drop table if exists "notes" cascade',
      ]);
    });
  });
});
