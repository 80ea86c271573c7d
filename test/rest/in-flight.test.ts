import { expect } from "chai";
import pg from "pg";
import { kysely, query } from "../../src/core/queries/database.ts";
import { eventually } from "../support/eventually.ts";
import { LIST_TOOLS, postMcp } from "../support/mcp.ts";
import { useServer } from "../support/server.ts";
import { openWorld, useWorld } from "../support/world.ts";
import { useStatementLog } from "../support/postgres/statements.ts";
import { lockWaits } from "../support/postgres/lock-waits.ts";

const MAX_EACH = 60;

describe("Requests of a shop over its share", () => {
  const world = useWorld();
  const { server } = world;
  let blocker: pg.Client;

  beforeEach("make what the shop asks for wait", async () => {
    // Until a key is known, its requests are anonymous.
    await list();
    blocker = new pg.Client({ connectionString: server.databaseUrl });
    await blocker.connect();
    await blocker.query("begin; lock table products");
  });

  afterEach(() => blocker.end());

  const list = (parameters = "") => world.call("GET", `/products${parameters}`);
  const blocked = () => lockWaits(server.databaseUrl, "%products%");

  it("leave database connections for others", async () => {
    const other = await openWorld(server);
    await other.key();
    const waiting = Array.from({ length: MAX_EACH }, () => list());
    await eventually(blocked, (count) => count > 0);
    expect((await other.call("GET", "/orders")).status).to.equal(200);
    expect(await blocked()).to.equal(3);
    await blocker.query("rollback");
    await Promise.all(waiting);
  });

  const search = {
    ...LIST_TOOLS,
    method: "tools/call",
    params: { name: "listProducts", arguments: { search: "mug" } },
  };
  const slow: Record<string, () => Promise<{ status: number }>> = {
    searches: () => list("?search=mug"),
    "pages far away": () => list("?page=6&limit=250"),
    "searches of tools": async () => postMcp(server, await world.key(), search),
  };

  for (const [what, ask] of Object.entries(slow)) {
    it(`run one after another: ${what}`, async () => {
      const other = await openWorld(server);
      await other.key();
      const waiting = Array.from({ length: 10 }, ask);
      await eventually(blocked, (count) => count === 1);
      // Its answer comes after all that would have begun beside the first.
      expect((await other.call("GET", "/orders")).status).to.equal(200);
      expect(await blocked()).to.equal(1);
      await blocker.query("rollback");
      for (const { status } of await Promise.all(waiting)) expect(status).to.equal(200);
    });
  }
});

describe("A statement", () => {
  const server = useServer();
  const log = useStatementLog();

  it("of a request may take two seconds, and one of the service five", async () => {
    const { call } = await openWorld(server);
    const ask = () => call("GET", "/products");
    // The service may send statements at the same time.
    expect([...(await log.during(ask)).timeouts]).to.include(2_000);
    const own = () => query(kysely(server.em), { text: "select 1" }, []);
    expect((await log.during(own)).timeouts).to.deep.equal(new Set([5_000]));
  });
});
