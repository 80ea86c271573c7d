import { expect } from "chai";
import pg from "pg";
import { buildKey, buildShop } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";

describe("A change to an API key", () => {
  const server = useServer();

  it("tells every process to forget them, but their use does not", async () => {
    const shop = await buildShop(server.em);
    await buildKey(server.em, shop);
    const listener = new pg.Client({ connectionString: server.databaseUrl });
    await listener.connect();
    try {
      const heard: unknown[] = [];
      listener.on("notification", ({ payload }) => heard.push(payload));
      await listener.query("listen credentials_changed");
      for (const [change, count] of [
        ["last_used_at = now()", 0],
        ["successor_id = 'key_1', expires_at = now()", 1],
        ["revoked_at = now()", 2],
      ] as const) {
        await listener.query(`update api_keys set ${change} where shop_id = $1`, [shop.id]);
        await listener.query("select 1");
        expect(heard, change).to.deep.equal(Array.from({ length: count }, () => shop.id));
      }
    } finally {
      await listener.end();
    }
  });
});
