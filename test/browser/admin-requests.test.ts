import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { withoutChromium } from "../support/browser/chromium.ts";
import { query } from "../support/database.ts";
import { buildKey, buildShop, buildStaff } from "../support/factories.ts";
import { eventually } from "../support/eventually.ts";
import { leaveEndedKeys } from "../support/shops/ended-keys.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as records } from "../../admin/records/copy.ts";
import { copy as requests } from "../../admin/requests/copy.ts";

const { filters } = requests;

describe(`Admin's request log in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();

  it("lists and filters requests, and shows one by its ID", async () => {
    const shop = await buildShop(pages.server.em);
    const secret = await buildKey(pages.server.em, shop);
    const ask = (path: string) =>
      fetch(`${pages.server.url}/api/v1/${shop.id}${path}`, { headers: { authorization: `Bearer ${secret}` } });
    await ask("/products");
    const refused = await ask("/products?limit=0");
    const requestId = refused.headers.get("x-request-id")!;
    const owner = await buildStaff(pages.server.em, shop);
    await pages.openAs(owner, `/${shop.id}/requests`);
    const countRows = async () => {
      await pages.page.reload({ waitUntil: "networkidle2" });
      return (await pages.page.$$("tbody tr")).length;
    };
    // They are written down a second after they were answered.
    await eventually(countRows, (count) => count === 2);
    await pages.see(records.shown("2"));
    await pages.expectAccessible();
    await pages.choose(filters.status, String(refused.status));
    await pages.see(records.shown("1"));
    await pages.press("GET /products");
    await pages.see("Must be at least 1");
    expect(pages.page.url()).to.include(`request=${requestId}`);
    await pages.expectAccessible();
    await pages.open(`/${shop.id}/requests?request=missing`);
    await pages.see(requests.notFound.title);
  });

  it("names the key of each request, and filters by key", async () => {
    const shop = await buildShop(pages.server.em);
    const secrets = [await buildKey(pages.server.em, shop), await buildKey(pages.server.em, shop)];
    for (const secret of [...secrets, secrets[1]!]) {
      const headers = { authorization: `Bearer ${secret}` };
      await fetch(`${pages.server.url}/api/v1/${shop.id}/products`, { headers });
    }
    const logged = "select from api_requests where shop_id = $1";
    await eventually(
      () => query(pages.server.databaseUrl, logged, [shop.id]),
      (rows) => rows.length === 3,
    );
    const [ended, alive] = secrets.map((secret) => secret.slice(-4)) as [string, string];
    const end = "update api_keys set name = 'Old key', revoked_at = now() where shop_id = $1 and last_characters = $2";
    await query(pages.server.databaseUrl, end, [shop.id, ended]);
    await leaveEndedKeys(pages.server, shop.id, 120);
    // Newest first, so that these are beyond every page of keys.
    await query(pages.server.databaseUrl, "update api_keys set created_at = '2020-01-01' where name !~ '^Rotated'");
    await pages.openAs(await buildStaff(pages.server.em, shop), `/${shop.id}/requests`);
    await pages.see(records.shown("3"));
    await pages.see(requests.keyName("Test key", alive));
    await pages.expectAccessible();
    await pages.press(requests.keyName("Old key", ended));
    await pages.see(records.shown("1"));
    await pages.press(filters.clearKey);
    await pages.see(records.shown("3"));
    await pages.choose(filters.key, requests.keyName("Test key", alive));
    await pages.see(records.shown("2"));
    await pages.miss(filters.clearKey);
  });

  it("opens a request when its ID is pasted or entered, but not while typing", async () => {
    const { page } = pages;
    const shop = await buildShop(pages.server.em);
    await pages.openAs(await buildStaff(pages.server.em, shop), `/${shop.id}/requests`);
    const field = await page.waitForSelector(`::-p-aria([name="${filters.id}"][role="searchbox"])`);
    const ids = [randomUUID(), randomUUID()];
    const close = async () => {
      await pages.see(requests.notFound.title);
      await page.keyboard.press("Escape");
      await page.waitForSelector('[role="dialog"]', { hidden: true });
      expect(page.url()).not.to.include("request=");
    };
    await field!.type(ids[0]!);
    expect(page.url()).not.to.include("request=");
    await page.keyboard.press("Enter");
    await close();
    await page.keyboard.press("Tab");
    expect(page.url()).not.to.include("request=");

    await page.evaluate((id) => navigator.clipboard.writeText(id), ids[1]!);
    await field!.click({ count: 3 });
    await page.keyboard.down("Control");
    await page.keyboard.press("v");
    await page.keyboard.up("Control");
    await close();

    await field!.click({ count: 3 });
    await field!.type(randomUUID());
    await page.keyboard.press("Tab");
    await close();
  });
});
