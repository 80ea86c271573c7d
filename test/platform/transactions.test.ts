import { expect } from "chai";
import { Kysely, sql } from "kysely";
import pg from "pg";
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
    await (await database.startTransaction().execute()).commit().execute();
  });

  beforeEach(() => {
    answers = 0;
  });

  after(() => database.destroy());

  const note = (text: string, on: Kysely<unknown> = database) => sql`insert into noted values (${text})`.execute(on);

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
  });
});
