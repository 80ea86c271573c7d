import { expect } from "chai";
import { CompiledQuery, Kysely, sql, type ControlledTransaction } from "kysely";
import pg from "pg";
import { type NamedQuery, PoolDialect } from "../../src/platform/postgres/driver/postgres-driver.ts";
import { query } from "../support/database.ts";
import { useServer } from "../support/server.ts";

describe("A transaction", () => {
  const server = useServer();
  let database: Kysely<unknown>;

  before(async () => {
    const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 1, pipeline: true });
    database = new Kysely({ dialect: new PoolDialect(pool) });
    await sql`create table noted (text text primary key)`.execute(database);
  });

  afterEach(() => query(server.databaseUrl, "delete from noted"));
  after(() => database.destroy());

  const begin = () => database.startTransaction().execute();
  const failed = (work: Promise<unknown>) => work.then(() => undefined).catch((error: { code: string }) => error.code);

  function note(text: string, on: Kysely<unknown>, isPipelined = false): Promise<unknown> {
    const statement: NamedQuery = { ...CompiledQuery.raw("insert into noted values ($1)", [text]), isPipelined };
    return on.executeQuery(statement);
  }

  async function noted(): Promise<string[]> {
    const rows = await query<{ text: string }>(server.databaseUrl, "select text from noted order by text");
    return rows.map(({ text }) => text);
  }

  async function withNote(text: string): Promise<ControlledTransaction<unknown>> {
    await note(text, database);
    return begin();
  }

  it("does not wait for a pipelined statement", async () => {
    const holder = new pg.Client({ connectionString: server.databaseUrl });
    await holder.connect();
    try {
      await holder.query("begin");
      await holder.query("insert into noted values ('one')");
      const transaction = await begin();
      await note("one", transaction, true);
      await holder.query("rollback");
      await transaction.commit().execute();
      expect(await noted()).to.deep.equal(["one"]);
    } finally {
      await holder.end();
    }
  });

  it("runs its statements in order", async () => {
    const transaction = await begin();
    await note("one", transaction, true);
    const { rows } = await sql`select text from noted`.execute(transaction);
    expect(rows).to.deep.equal([{ text: "one" }]);
    await transaction.rollback().execute();
    expect(await noted()).to.deep.equal([]);
  });

  it("undoes its first statement when it is rolled back", async () => {
    const transaction = await begin();
    await note("one", transaction);
    await transaction.rollback().execute();
    expect(await noted()).to.deep.equal([]);
  });

  it("undoes a first statement of several commands", async () => {
    const transaction = await begin();
    await sql.raw("insert into noted values ('one'); insert into noted values ('two')").execute(transaction);
    await transaction.rollback().execute();
    expect(await noted()).to.deep.equal([]);
  });

  it("commits nothing when a pipelined statement fails", async () => {
    const transaction = await withNote("one");
    await note("one", transaction, true);
    await note("two", transaction, true);
    expect(await failed(transaction.commit().execute())).to.equal("23505");
    await transaction.rollback().execute();
    expect(await noted()).to.deep.equal(["one"]);
  });

  it("fails at the next statement when a pipelined one fails", async () => {
    const transaction = await withNote("one");
    await note("one", transaction, true);
    // In a later turn, so that an unhandled error would end the process.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await failed(note("two", transaction))).to.equal("23505");
    await transaction.rollback().execute();
    await note("two", database);
    expect(await noted()).to.deep.equal(["one", "two"]);
  });

  it("is rolled back after a pipelined statement fails", async () => {
    const transaction = await withNote("one");
    await note("one", transaction, true);
    await transaction.rollback().execute();
    await note("two", database);
    expect(await noted()).to.deep.equal(["one", "two"]);
  });

  it("undoes a pipelined statement with its savepoint", async () => {
    const transaction = await withNote("one");
    const inner = await transaction.savepoint("inner").execute();
    await note("one", inner, true);
    expect(await failed(inner.releaseSavepoint("inner").execute())).to.equal("23505");
    await inner.rollbackToSavepoint("inner").execute();
    await note("two", transaction, true);
    await transaction.commit().execute();
    expect(await noted()).to.deep.equal(["one", "two"]);
  });

  it("is none for a pipelined statement alone, whose result is awaited", async () => {
    await note("one", database);
    expect(await failed(note("one", database, true))).to.equal("23505");
  });
});
