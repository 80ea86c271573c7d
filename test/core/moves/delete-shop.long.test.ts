import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { deleteShop } from "../../../src/core/moves/delete-shop.sql.ts";
import { closeShop, openShop } from "../../../src/core/moves/close-shop.ts";
import { createImport, requestCheck, storeChunk } from "../../../src/core/imports/change-import.ts";
import { checkFile } from "../../../src/core/imports/check/check-file.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { joinShop } from "../../../src/core/staff/accounts/account.ts";
import { Role, Staff } from "../../../src/core/model/staff/staff.entity.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import { closeLongAgo, exportText } from "../../support/shops/moves.ts";
import { buildFullShop, type FullShop } from "../../support/shops/full-shop.ts";
import { readShopRows } from "../../support/postgres/shop-rows.ts";
import { findText } from "../../support/postgres/find-text.ts";
import { useServer } from "../../support/server.ts";

describe("A deleted shop", () => {
  const server = useServer({ config: { encryptionKeys: [{ name: "test", key: randomBytes(32) }] } });

  const remove = (id: string, confirm: string, signal = new AbortController().signal) =>
    deleteShop({ em: server.em, shop: { id }, actor: operator }, { confirm, signal, onProgress: () => undefined });

  const errorOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

  async function build(): Promise<FullShop> {
    const api = await server.app.startApi();
    try {
      return await buildFullShop({ ...server, url: `http://127.0.0.1:${api.port}` }, "https://receiver.example/hooks");
    } finally {
      await api.stop();
    }
  }

  /** Leaves a file and its record in the shop. */
  async function checkImport(shop: Shop): Promise<void> {
    const operation = { em: server.em, shop, actor: operator };
    const file = Buffer.from("email\nada@example.com\n");
    const id = await createImport(operation, { kind: "CUSTOMERS", fileName: "file.csv", fileSize: file.length });
    await storeChunk(operation, id, 0, file);
    await requestCheck(operation, id, {});
    await checkFile(server.em, { shopId: shop.id, id }, new AbortController().signal);
    expect(await findText(server, id)).to.have.members([
      "imports",
      "import_chunks",
      "import_items",
      "graphile_worker._private_jobs",
    ]);
  }

  it("leaves nothing, also after an interruption, and nothing of others changes", async () => {
    const [full, other] = [await build(), await build()];
    const { shop, owner, clerk } = full;
    await checkImport(shop);
    await server.em.transactional(async (em) =>
      joinShop(em, other.shop.id, await em.findOneOrFail(Staff, clerk.id), Role.VIEWER),
    );
    const before = await readShopRows(server, other.shop);
    await closeLongAgo(server, shop);
    const interrupted = new AbortController();
    const started = deleteShop(
      { em: server.em, shop, actor: operator },
      { confirm: shop.name, signal: interrupted.signal, onProgress: () => interrupted.abort() },
    );
    expect(await errorOf(started)).to.have.property("name", "AbortError");
    const lost = `The shop has lost rows, because it is being deleted. To continue, run: merchant-api shops delete --shop ${shop.id}`;
    expect(await errorOf(openShop({ em: server.em, shop, actor: operator }))).to.have.property("message", lost);
    expect(await errorOf(exportText(server, shop))).to.have.property("message", lost);
    expect(await remove(shop.id, shop.name)).to.deep.include({ id: shop.id, name: shop.name, deletedAccounts: 1 });
    for (const text of [shop.id, full.endpointId, full.variantId, owner.id, owner.email]) {
      expect(await findText(server, text), text).to.deep.equal([]);
    }
    expect(await readShopRows(server, other.shop)).to.deep.equal(before);
    // The account of a member of another shop stays.
    expect(await findText(server, clerk.id)).to.include.members(["staff", "memberships", "second_factors"]);
    expect(await errorOf(remove(shop.id, shop.name))).to.have.property("message", "Shop not found");
  });

  it("was closed, and named", async () => {
    const shop = await buildShop(server.em, { name: "Harbour Goods" });
    await buildStaff(server.em, shop);
    const before = await readShopRows(server, shop);
    const open = `The shop is open. Run: merchant-api shops close --shop ${shop.id}`;
    expect(await errorOf(remove(shop.id, shop.name))).to.have.property("message", open);
    expect(await readShopRows(server, shop)).to.deep.equal(before);
    await closeShop({ em: server.em, shop, actor: operator });
    const named = `--confirm: Must be the name of ${shop.id}, from shops show`;
    for (const name of ["", "harbour goods", "Harbour Goods "]) {
      expect(await errorOf(remove(shop.id, name)), name).to.have.property("message", named);
    }
    await openShop({ em: server.em, shop, actor: operator });
  });
});
