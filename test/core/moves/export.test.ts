import { Writable } from "node:stream";
import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { exportShop } from "../../../src/core/moves/file/export-shop.ts";
import { closeShop, openShop } from "../../../src/core/moves/close-shop.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { query } from "../../support/database.ts";
import { buildShop } from "../../support/factories.ts";
import { closeLongAgo, exportText } from "../../support/shops/moves.ts";
import { useServer } from "../../support/server.ts";

describe("An export", () => {
  const server = useServer();
  let shop: Shop;

  beforeEach(async () => {
    shop = await buildShop(server.em);
  });

  /** As a shop that was closed a little less than half a minute ago. */
  async function closeJustNow(): Promise<void> {
    await closeShop({ em: server.em, shop, actor: operator });
    const text = "update shops set closed_at = now() - interval '28.5 s' where id = $1";
    await query(server.databaseUrl, text, [shop.id]);
  }

  it("waits for the work that was running when the shop was closed", async () => {
    await closeJustNow();
    const file = await exportText(server, shop);
    const [{ exportedAt }, { shops }] = file
      .split("\n")
      .slice(0, 2)
      .map((line) => JSON.parse(line));
    const age = Date.parse(exportedAt) - Date.parse(shops.closed_at);
    expect(age).to.be.at.least(30_000);
  });

  it("is refused if the shop is opened meanwhile", async () => {
    await closeJustNow();
    const exporting = exportText(server, shop).catch((error: Error) => error.message);
    await openShop({ em: server.em, shop, actor: operator });
    expect(await exporting).to.match(/^The shop is open/);
  });

  it("is recorded in the audit log and in the file", async () => {
    await closeLongAgo(server, shop);
    expect(await exportText(server, shop)).to.include('"action":"SHOP_EXPORTED","actor_kind":"OPERATOR"');
  });

  it("ends and releases its connection when its output is not read", async () => {
    await closeLongAgo(server, shop);
    for (let count = 0; count < 15; count += 1) {
      const destination = new Writable({ write: (_chunk, _encoding, done) => done(new Error("The disk is full")) });
      const error = await exportShop(
        { em: server.em, shop, actor: operator },
        { destination, encryption: server.app.core.encryption },
      ).catch((thrown: Error) => thrown);
      expect(error).to.have.property("message", "The disk is full");
    }
    expect(await exportText(server, shop)).to.include('"sha256"');
  });
});
