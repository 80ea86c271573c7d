import { expect } from "chai";
import { withoutChromium } from "../support/browser/chromium.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildShop, buildStaff } from "../support/factories.ts";
import { useAdminPages } from "./admin-pages.ts";
import { keys } from "../../admin/credentials/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";

describe(`The page of an API key in a browser${withoutChromium}`, () => {
  const pages = useAdminPages({ config: { trustedProxies: 1 } });

  it("leads to the requests of a stranger in three clicks, and rehearses allowed addresses", async () => {
    const shop = await buildShop(pages.server.em);
    const secret = await buildKey(pages.server.em, shop);
    const ask = async (address: string, agent: string, path: string) => {
      const headers = { authorization: `Bearer ${secret}`, "x-forwarded-for": address, "user-agent": agent };
      return (await fetch(`${pages.server.url}/api/v1/${shop.id}${path}`, { headers })).status;
    };
    for (let index = 0; index < 3; index += 1) await ask("203.0.113.5", "erp/1.0", "/products");
    await ask("198.51.100.9", "curl/8.5", "/customers");
    await eventually(
      () => query(pages.server.databaseUrl, "select from api_requests where shop_id = $1", [shop.id]),
      (rows) => rows.length === 4,
    );
    await query(pages.server.databaseUrl, "update api_keys set last_used_at = now() where shop_id = $1", [shop.id]);
    await pages.openAs(await buildStaff(pages.server.em, shop), `/${shop.id}/keys`);
    await pages.press("Test key");
    await pages.see("curl/8.5 from 198.51.100.9");
    await pages.seeCell("203.0.113.5");
    await pages.see("write_orders");
    await pages.expectAccessible();
    await pages.press("198.51.100.9");
    await pages.see(records.shown("1"));
    expect(pages.page.url()).to.include("address=198.51.100.9&agent=curl");
    await pages.press("GET /customers");
    await pages.see("curl/8.5");
    await pages.expectAccessible();

    await pages.press(`Test key (…${secret.slice(-4)})`);
    await pages.press(keys.allowed.edit);
    await pages.fill(keys.allowed.label, "here");
    await pages.see("Enter an IP address");
    await pages.fill(keys.allowed.label, "203.0.113.0/24");
    await pages.see(keys.allowed.refused("1", "4"));
    await pages.expectAccessible();
    await pages.submit();
    await pages.see(keys.allowed.saved);
    await pages.see("203.0.113.0/24");
    await eventually(
      () => ask("198.51.100.9", "curl/8.5", "/customers"),
      (status) => status === 403,
    );
  });
});
