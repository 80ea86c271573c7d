import { expect } from "chai";
import pg from "pg";
import { buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { eventually } from "../support/eventually.ts";
import { lockWaits } from "../support/postgres/lock-waits.ts";
import { useServer } from "../support/server.ts";

describe("An operation with thirty lists", () => {
  const server = useServer();
  const operations = {
    "one statement at a time": { fields: "items { id }", most: 1 },
    "three when it is costly": { fields: "total", most: 3 },
  };
  for (const [what, { fields, most }] of Object.entries(operations)) {
    it(`sends ${what}`, async () => {
      const shop = await buildShop(server.em);
      const session = await logIn(server, await buildStaff(server.em, shop));
      const lists = Array.from({ length: 30 }, (_, index) => `a${index}: products(limit: 1) { ${fields} }`);
      const blocker = new pg.Client({ connectionString: server.databaseUrl });
      await blocker.connect();
      await blocker.query("begin; lock table products");
      const answer = askGraphql(
        server,
        `query ($id: ID!) { shop(id: $id) { ${lists.join(" ")} } }`,
        { id: shop.id },
        session,
      );
      const waiting = () => lockWaits(server.databaseUrl, "%products%");
      await eventually(waiting, (count) => count === most);
      // Its result follows those of all statements that were sent together with the first.
      await askGraphql(server, "{ viewer { sessions { id } } }", {}, session);
      expect(await waiting()).to.equal(most);
      await blocker.end();
      const { status, errors } = await answer;
      expect([status, errors]).to.deep.equal([200, []]);
    });
  }
});
