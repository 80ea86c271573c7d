import { expect } from "chai";
import { CUSTOM_PLAN, NamingClient } from "../../src/platform/postgres/driver/naming-client.ts";
import { useServer } from "../support/server.ts";

const FIND = "select handle from products where shop_id = $1 and id = $2";

describe("A connection that names statements", () => {
  const server = useServer();
  let client: NamingClient;

  beforeEach(async () => {
    client = new NamingClient({ connectionString: server.databaseUrl });
    await client.connect();
  });

  afterEach(() => client.end());

  async function namedStatements(): Promise<string[]> {
    const { rows } = await client.query("select statement from pg_prepared_statements");
    return rows.map(({ statement }: { statement: string }) => statement);
  }

  it("has PostgreSQL parse each once", async () => {
    for (const id of ["1", "2"]) await client.query(FIND, ["one", id]);
    expect(await namedStatements()).to.deep.equal([FIND]);
  });

  it("names none whose plan depends on its values", async () => {
    await client.query(`${CUSTOM_PLAN}${FIND}`, ["one", "1"]);
    expect(await namedStatements()).to.deep.equal([]);
  });
});
