import { expect } from "chai";
import { useAdminPages } from "./admin-pages.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey } from "../support/factories.ts";
import { leaveEndedKeys } from "../support/shops/ended-keys.ts";
import { SCOPES, SCOPES_WITHOUT_ROUTE } from "../../src/core/model/permissions.ts";
import { runInBash } from "../support/programs/console-examples.ts";
import { useWorld } from "../support/world.ts";
import { copy as credentials, keys } from "../../admin/credentials/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";
import { copy as ui } from "../../admin/ui/copy.ts";

describe(`Admin's API keys in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const { shop, staff: owner } = useWorld(pages.server, { name: "Harbour Goods" });

  beforeEach(async () => {
    await pages.openAs(owner, `/${shop.id}/keys`);
  });

  const list = (secret: string) =>
    fetch(`${pages.server.url}/api/v1/${shop.id}/products`, { headers: { authorization: `Bearer ${secret}` } });

  it("creates a key and shows its secret once", async () => {
    const { page } = pages;
    await pages.see(keys.empty.title);
    await pages.press(keys.create);
    await pages.fill(credentials.name, "ERP connector");
    await pages.press(credentials.read(credentials.resources.PRODUCTS));
    for (const scope of SCOPES) {
      const [verb, resource] = scope.split("_") as ["read" | "write", string];
      const label = credentials[verb](credentials.resources[resource.toUpperCase() as "ORDERS"]);
      await pages.see(SCOPES_WITHOUT_ROUTE.includes(scope) ? credentials.withoutRoute(label) : label);
    }
    await pages.fill(keys.allowed.optional, "127.0.0.1, ::1\nhere");
    await pages.submit();
    await pages.see("Enter an IP address");
    await pages.expectAccessible();
    await pages.fill(keys.allowed.optional, "127.0.0.1, ::1");
    await page.locator('[role="dialog"] button[type="submit"]').click();
    await pages.see(credentials.created("ERP connector"));
    const secret = await pages.readSecret();
    await pages.see(`/api/v1/${shop.id}/products?limit=1`);
    await page.waitForSelector(`[role="dialog"] a[href="/docs?shop=${shop.id}"]`);
    await pages.expectAccessible();
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await pages.see(credentials.created("ERP connector"));
    await pages.press(ui.secret.copy);
    await pages.see(ui.copied);
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(secret);
    expect((await list(secret)).status).to.equal(200);
    await pages.press(keys.example.copy);
    await eventually(
      () => page.evaluate(() => navigator.clipboard.readText()),
      (text) => text.startsWith("curl ") && text.includes(`Bearer ${secret}`),
    );
    await pages.confirmSecret();
    await pages.miss(credentials.created("ERP connector"));
    await pages.see("1 of 10");
    expect(await page.content()).not.to.include(secret);
    await pages.press("ERP connector");
    await pages.see("127.0.0.1");
  });

  it("shows a request that works to the owner of a key that only writes", async () => {
    await pages.press(keys.create);
    await pages.fill(credentials.name, "Importer");
    await pages.press(credentials.write(credentials.resources.PRODUCTS));
    await pages.submit();
    await pages.see(credentials.created("Importer"));
    const secret = await pages.readSecret();
    await pages.press(keys.example.copy);
    const command = await eventually(
      () => pages.page.evaluate(() => navigator.clipboard.readText()),
      (text) => text.includes(`Bearer ${secret}`),
    );
    const { product } = JSON.parse(await runInBash(command!, {}));
    expect(product.status).to.equal("DRAFT");
  });

  it("keeps what was typed on Escape and a click outside", async () => {
    const { page } = pages;
    await pages.press(keys.create);
    await pages.fill(credentials.name, "ERP connector");
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    const field = '[role="dialog"] input[name="name"]';
    expect(await page.$eval(field, (input) => (input as HTMLInputElement).value)).to.equal("ERP connector");
    await pages.press(ui.cancel);
    await pages.miss(keys.createTitle);
    await pages.press(keys.create);
    await pages.see(keys.createTitle);
    await page.keyboard.press("Escape");
    await pages.miss(keys.createTitle);
  });

  it("names every mistake at once in the words of the form", async () => {
    await pages.press(keys.create);
    await pages.submit();
    await pages.see(keys.emptyFields.name);
    await pages.see(keys.emptyFields.scopes);
    await pages.expectAccessible();
  });

  it("revokes a key", async () => {
    const secret = await buildKey(pages.server.em, shop);
    await pages.choose(credentials.status, credentials.statuses.ACTIVE);
    await pages.press(credentials.actionsFor("Test key"));
    await pages.press(credentials.revoke);
    await pages.see(credentials.revokeTitle("Test key"));
    await pages.press(keys.revoke);
    await pages.see(keys.noMatch);
    await pages.seeFocusedHeading();
    await pages.choose(credentials.status, credentials.statuses.REVOKED);
    await pages.see("Test key");
    expect((await list(secret)).status).to.equal(401);
  });

  it("lists all keys of a shop, a page at a time", async () => {
    await buildKey(pages.server.em, shop);
    await leaveEndedKeys(pages.server, shop.id, 120);
    await pages.page.reload();
    await pages.see("50 of 121");
    await pages.see("1 of 10");
    await pages.expectAccessible();
    await pages.miss("Rotated key 120");
    await pages.press(records.loadMore);
    await pages.see("100 of 121");
    await pages.press(records.loadMore);
    await pages.see("121 of 121");
    await pages.see("Rotated key 120");
    await pages.choose(credentials.status, credentials.statuses.ACTIVE);
    await pages.see("1 of 1");
    await pages.miss("Rotated key");
  });

  it("marks keys that are safe to revoke", async () => {
    await buildKey(pages.server.em, shop);
    await pages.page.reload();
    await pages.press(credentials.actionsFor("Test key"));
    await pages.press(keys.rotate);
    await pages.press(keys.rotateSubmit);
    await pages.see(keys.rotated("Test key"));
    const secret = await pages.readSecret();
    await pages.confirmSecret();
    await pages.see("2 of 2");
    await pages.miss(keys.safeToRevoke);
    expect((await list(secret)).status).to.equal(200);
    await eventually(
      () => query(pages.server.databaseUrl, "select from api_keys where last_used_at is not null"),
      (used) => used.length > 0,
    );
    await pages.page.reload();
    await pages.see(keys.safeToRevoke);
  });

  it("says what a key is, and that an unused one can be revoked", async () => {
    await buildKey(pages.server.em, shop);
    await pages.page.reload();
    await pages.see("Test key");
    await pages.expectAccessible();
    await pages.press("Test key");
    await pages.see(keys.notUsed);
    await pages.see(keys.clients.empty);
    await pages.see(`by ${records.anOperator}`);
    await pages.expectAccessible();
  });
});
