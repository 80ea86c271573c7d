import { expect } from "chai";
import { CompiledQuery, Kysely, sql } from "kysely";
import pg from "pg";
import type { NamedQuery } from "../../src/platform/postgres/driver/connection.ts";
import { PoolDialect } from "../../src/platform/postgres/driver/postgres-driver.ts";
import { useServer } from "../support/server.ts";

describe("A transaction", () => {
  const server = useServer();
  let pool: pg.Pool;
  let database: Kysely<unknown>;
  let answers = 0;

  before(async () => {
    pool = new pg.Pool({ connectionString: server.databaseUrl, max: 1 });
    pool.on("connect", (client) => {
      const { connection } = client as unknown as { connection: pg.Connection };
      connection.on("readyForQuery", () => (answers += 1));
    });
    database = new Kysely({ dialect: new PoolDialect(pool) });
    await sql`create table noted (text text primary key)`.execute(database);
  });

  beforeEach(async () => {
    // Prepares the statements that are deferred later.
    const transaction = await database.startTransaction().execute();
    await noteLater("none", transaction);
    await transaction.commit().execute();
    await sql`delete from noted`.execute(database);
    answers = 0;
  });

  after(() => database.destroy());

  const note = (text: string, on: Kysely<unknown> = database) => sql`insert into noted values (${text})`.execute(on);

  function noteLater(text: string, on: Kysely<unknown>) {
    const compiled = CompiledQuery.raw("insert into noted values ($1)", [text]);
    const statement: NamedQuery = { ...compiled, name: "note later", isDeferred: true };
    return on.executeQuery(statement);
  }

  async function noted(): Promise<string[]> {
    const { rows } = await sql<{ text: string }>`select text from noted order by text`.execute(database);
    return rows.map(({ text }) => text);
  }

  afterEach(async () => {
    await sql`delete from noted`.execute(database);
  });

  it("begins with its first statement, in one round trip", async () => {
    const transaction = await database.startTransaction().execute();
    await note("one", transaction);
    await note("two", transaction);
    await transaction.commit().execute();
    expect(answers).to.equal(3);
    expect(await noted()).to.deep.equal(["one", "two"]);
  });

  it("undoes its first statement when it is rolled back", async () => {
    const transaction = await database.startTransaction().execute();
    await note("one", transaction);
    await transaction.rollback().execute();
    expect(await noted()).to.deep.equal([]);
  });

  it("is not sent without a statement", async () => {
    await (await database.startTransaction().execute()).commit().execute();
    await (await database.startTransaction().execute()).rollback().execute();
    expect(answers).to.equal(0);
  });

  it("undoes a first statement of several commands", async () => {
    const transaction = await database.startTransaction().execute();
    await sql.raw("insert into noted values ('one'); insert into noted values ('two')").execute(transaction);
    await transaction.rollback().execute();
    expect(await noted()).to.deep.equal([]);
  });

  it("is rolled back after its first statement fails", async () => {
    await note("one");
    const transaction = await database.startTransaction().execute();
    const error = await note("one", transaction).catch((cause: unknown) => cause);
    expect(error).to.have.property("code", "23505");
    await transaction.rollback().execute();
    await note("two");
    expect(await noted()).to.deep.equal(["one", "two"]);
  });

  it("does nothing when it cannot begin", async () => {
    await sql`deallocate begin`.execute(database);
    const transaction = await database.startTransaction().execute();
    const error = await note("one", transaction).catch((cause: unknown) => cause);
    expect(error).to.have.property("message", 'prepared statement "begin" does not exist');
    await transaction.rollback().execute();
    expect(await noted()).to.deep.equal([]);
    (await pool.connect()).release(true);
  });

  describe("with a deferred statement", () => {
    it("commits it in one round trip", async () => {
      const transaction = await database.startTransaction().execute();
      await note("one", transaction);
      await noteLater("two", transaction);
      await noteLater("three", transaction);
      await transaction.commit().execute();
      expect(answers).to.equal(2);
      expect(await noted()).to.deep.equal(["one", "three", "two"]);
    });

    it("runs it before the next statement", async () => {
      const transaction = await database.startTransaction().execute();
      await noteLater("one", transaction);
      const { rows } = await sql`select text from noted where text = ${"one"}`.execute(transaction);
      expect(rows).to.deep.equal([{ text: "one" }]);
      await transaction.rollback().execute();
      expect(await noted()).to.deep.equal([]);
    });

    it("commits nothing when it fails", async () => {
      const transaction = await database.startTransaction().execute();
      await note("one", transaction);
      await noteLater("one", transaction);
      await noteLater("two", transaction);
      const error = await transaction
        .commit()
        .execute()
        .catch((cause: unknown) => cause);
      expect(error).to.have.property("code", "23505");
      await transaction.rollback().execute();
      expect(await noted()).to.deep.equal([]);
    });

    it("forgets it when it is rolled back", async () => {
      const transaction = await database.startTransaction().execute();
      await noteLater("one", transaction);
      await transaction.rollback().execute();
      expect(answers).to.equal(0);
      expect(await noted()).to.deep.equal([]);
    });

    it("runs it before a savepoint is released", async () => {
      const transaction = await database.startTransaction().execute();
      const inner = await transaction.savepoint("inner").execute();
      await noteLater("one", inner);
      await inner.releaseSavepoint("inner").execute();
      await transaction.commit().execute();
      expect(await noted()).to.deep.equal(["one"]);
    });
  });

  it("without an open one, a statement is not deferred", async () => {
    await noteLater("one", database);
    expect(await noted()).to.deep.equal(["one"]);
  });
});
