import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildKey, buildShop, buildStaff } from "../support/factories.ts";
import { useAdminPages } from "./admin-pages.ts";

describe(`Admin while its server is away, in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  let shop: Shop;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    await buildKey(pages.server.em, shop);
    await pages.openAs(await buildStaff(pages.server.em, shop), `/${shop.id}/keys`);
    await pages.see("Test key");
  });

  it("says so where a page cannot be read, and shows it when the server is back", async () => {
    await pages.page.setOfflineMode(true);
    await pages.choose("Status", "Revoked");
    await pages.see("The server does not answer");
    await pages.page.setOfflineMode(false);
    await pages.see("No key has this status");
    await pages.miss("The server does not answer");
  });

  it("keeps what a form holds, says what happened there, and takes it later", async () => {
    await pages.press("Create key");
    await pages.fill("Name", "ERP connector");
    await pages.press("Read orders");
    const submit = '[role="dialog"] button[type="submit"]';
    await pages.page.setOfflineMode(true);
    await pages.page.locator(submit).click();
    await pages.see("The server does not answer");
    await pages.page.setOfflineMode(false);
    await pages.page.locator(submit).click();
    await pages.see("ERP connector is ready");
    expect(await pages.page.$$("[role=alert]")).to.deep.equal([]);
  });
});
