import { expect } from "chai";
import pg from "pg";
import { eventually } from "../support/eventually.ts";
import { lockWaits } from "../support/postgres/lock-waits.ts";
import { useWorld } from "../support/world.ts";

describe("An operation with thirty lists", () => {
  const { server, ask, session } = useWorld();
  const operations = {
    "one statement at a time": { fields: "items { id }", most: 1 },
    "three when it is costly": { fields: "total", most: 3 },
  };
  for (const [what, { fields, most }] of Object.entries(operations)) {
    it(`sends ${what}`, async () => {
      await session();
      const lists = Array.from({ length: 30 }, (_, index) => `a${index}: products(limit: 1) { ${fields} }`);
      const blocker = new pg.Client({ connectionString: server.databaseUrl });
      await blocker.connect();
      await blocker.query("begin; lock table products");
      const answer = ask(`query ($shopId: ID!) { shop(id: $shopId) { ${lists.join(" ")} } }`);
      const waiting = () => lockWaits(server.databaseUrl, "%products%");
      await eventually(waiting, (count) => count === most);
      // Its result follows those of all statements that were sent together with the first.
      await ask("{ viewer { sessions { id } } }");
      expect(await waiting()).to.equal(most);
      await blocker.end();
      const { status, errors } = await answer;
      expect([status, errors]).to.deep.equal([200, []]);
    });
  }
});
