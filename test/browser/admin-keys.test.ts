import { expect } from "chai";
import { useAdminPages } from "./admin-pages.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { leaveEndedKeys } from "../support/shops/ended-keys.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";

describe(`Admin's API keys in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  let shop: Shop;
  let owner: TestStaff;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    owner = await buildStaff(pages.server.em, shop);
    await pages.openAs(owner, `/${shop.id}/keys`);
  });

  const list = (secret: string) =>
    fetch(`${pages.server.url}/api/v1/${shop.id}/products`, { headers: { authorization: `Bearer ${secret}` } });

  it("makes one, shows its secret once, and forgets it", async () => {
    const { page } = pages;
    await pages.see("No keys yet");
    await pages.press("Create key");
    await pages.fill("Name", "ERP connector");
    await pages.press("Read products");
    await page.locator('[role="dialog"] button[type="submit"]').click();
    await pages.see("ERP connector is ready");
    const secret = await page.$eval("[role=dialog] input[readonly]", (input) => (input as HTMLInputElement).value);
    await pages.expectAccessible();
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await pages.see("ERP connector is ready");
    await pages.press("Copy");
    await pages.see("Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(secret);
    expect((await list(secret)).status).to.equal(200);
    await pages.press("I have stored it. It cannot be shown again.");
    await pages.press("Done");
    await pages.miss("ERP connector is ready");
    await pages.see("1 of 10");
    expect(await page.content()).not.to.include(secret);
  });

  it("revokes one", async () => {
    const secret = await buildKey(pages.server.em, shop);
    await pages.choose("Status", "Active");
    await pages.press("Actions on Test key");
    await pages.press("Revoke");
    await pages.see("Revoke Test key?");
    await pages.press("Revoke key");
    await pages.see("No key has this status");
    await pages.seeFocusedHeading();
    await pages.choose("Status", "Revoked");
    await pages.see("Test key");
    expect((await list(secret)).status).to.equal(401);
  });

  it("lists every key that a shop has had, a page at a time", async () => {
    await buildKey(pages.server.em, shop);
    await leaveEndedKeys(pages.server, shop.id, 120);
    await pages.page.reload();
    await pages.see("50 of 121");
    await pages.see("1 of 10");
    await pages.expectAccessible();
    await pages.miss("Rotated key 120");
    await pages.press("Load more");
    await pages.see("100 of 121");
    await pages.press("Load more");
    await pages.see("121 of 121");
    await pages.see("Rotated key 120");
    await pages.choose("Status", "Active");
    await pages.see("1 of 1");
    await pages.miss("Rotated key");
  });

  it("says which key can be revoked because its successor is in use", async () => {
    await buildKey(pages.server.em, shop);
    await pages.page.reload();
    await pages.press("Actions on Test key");
    await pages.press("Rotate");
    await pages.press("Rotate key");
    await pages.see("Test key has a new secret");
    const secret = await pages.page.$eval(
      "[role=dialog] input[readonly]",
      (input) => (input as HTMLInputElement).value,
    );
    await pages.press("I have stored it. It cannot be shown again.");
    await pages.press("Done");
    await pages.see("2 of 2");
    await pages.miss("Safe to revoke now");
    expect((await list(secret)).status).to.equal(200);
    await eventually(
      () => query(pages.server.databaseUrl, "select from api_keys where last_used_at is not null"),
      (used) => used.length > 0,
    );
    await pages.page.reload();
    await pages.see("Safe to revoke now");
  });

  it("is accessible", async () => {
    await buildKey(pages.server.em, shop);
    await pages.page.reload();
    await pages.see("Test key");
    await pages.expectAccessible();
  });
});
