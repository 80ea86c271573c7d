import { expect } from "chai";
import { useAdminPages } from "./admin-pages.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { openBrowserAs } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildKey, buildShop, buildStaff, type TestStaff } from "../support/factories.ts";

const UPDATE = `mutation ($shopId: ID!, $name: String!) { updateShop(shopId: $shopId, input: { name: $name }) { id } }`;

describe(`Admin's audit log in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  let shop: Shop;
  let owner: TestStaff;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    owner = await buildStaff(pages.server.em, shop);
    await buildKey(pages.server.em, shop);
    const browser = await openBrowserAs(pages.server, owner);
    await browser.ask(UPDATE, { shopId: shop.id, name: "Harbour and Sons" });
  });

  const count = () => pages.page.$$eval("main tbody tr", (rows) => rows.length);

  it("tells who did what from where, and filters it", async () => {
    await pages.openAs(owner, `/${shop.id}/audit`);
    await pages.see("Shop updated");
    await pages.see("127.0.0.1");
    await pages.see("API key created");
    await pages.expectAccessible();
    await pages.choose("What", "API keys");
    await pages.miss("Shop updated");
    expect(pages.page.url()).to.match(/audit\?action=keys$/);
    await pages.choose("What", "Logins and sessions");
    await pages.see("Member logged in");
    await pages.choose("What", "Shop and settings");
    await pages.miss("Member logged in");
    await pages.press(owner.email);
    await pages.choose("What", "Anything");
    await pages.see("Member logged in");
    await pages.miss("API key created");
    await pages.page.reload();
    await pages.see("Shop updated");
    // They logged in twice.
    expect(await count()).to.equal(3);
    await pages.press("By one caller: show all");
    await pages.press("Test key");
    await pages.miss("Shop updated");
    await pages.choose("What", "Orders and payments");
    await pages.see("No entry matches");
    await pages.expectAccessible();
  });

  it("loads more", async () => {
    const browser = await openBrowserAs(pages.server, owner);
    for (let round = 0; round < 50; round++) await browser.ask(UPDATE, { shopId: shop.id, name: `Shop ${round}` });
    await pages.openAs(owner, `/${shop.id}/audit?action=shop`);
    await pages.press("Load more");
    await pages.see("51 of 51");
    expect(await count()).to.equal(51);
  });

  it("is not for other roles", async () => {
    await pages.openAs(await buildStaff(pages.server.em, shop, Role.MANAGER), `/${shop.id}/audit`);
    await pages.see("This page is not for your role");
  });
});
