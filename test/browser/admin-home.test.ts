import { expect } from "chai";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildProduct, buildStaff } from "../support/factories.ts";
import { CREATE, useTill } from "../support/shops/till.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as home } from "../../admin/home/copy.ts";
import { copy as orders } from "../../admin/orders/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";
import { copy as requests } from "../../admin/requests/copy.ts";
import { copy as stock } from "../../admin/stock/copy.ts";

describe(`Admin's overview in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  const till = useTill(pages.server);

  const openAs = async (role: Role) =>
    pages.openAs(await buildStaff(pages.server.em, till.shop, role), `/${till.shop.id}`);

  it("shows an owner the orders, the requests, the endpoints and keys, and low stock", async () => {
    const { em, databaseUrl, url } = pages.server;
    await till.must(CREATE, till.sale());
    await buildProduct(em, till.shop, { title: "Deck lantern", inventoryQuantity: 2 });
    const secret = await buildKey(em, till.shop);
    const { endpoint } = await buildEndpoint(pages.server, till.shop, "http://localhost:9/hooks");
    await query(databaseUrl, "update api_keys set expires_at = now() + interval '2 days' where shop_id = $1", [
      till.shop.id,
    ]);
    await fetch(`${url}/api/v1/${till.shop.id}/nothing`, { headers: { authorization: `Bearer ${secret}` } });
    await fetch(`${url}/api/v1/${till.shop.id}/products`, { headers: { authorization: `Bearer ${secret}` } });
    await eventually(
      () => query(databaseUrl, "select from hourly_requests where shop_id = $1", [till.shop.id]),
      (rows) => rows.length > 0,
    );
    await query(
      databaseUrl,
      `insert into hourly_attempts (shop_id, endpoint_id, hour, attempts, failures, durations)
       values ($1, $2, date_trunc('hour', now()), 4, 3, '{0,4}')`,
      [till.shop.id, endpoint.id],
    );
    await openAs(Role.OWNER);
    await pages.see("€23.80");
    await pages.see("1 order");
    await pages.see("Deck lantern");
    await pages.see("Test key");
    await pages.see(requests.panel.clientErrors);
    await pages.page.waitForSelector('svg[role="img"][aria-label*="4 in total, 3 failed"]');
    await pages.expectAccessible();
    await pages.press("Deck lantern");
    await pages.see(home.title);
  });

  it("shows a clerk the orders and low stock alone, and leads to the lists behind them", async () => {
    await till.must(CREATE, till.sale());
    await openAs(Role.CLERK);
    await pages.see(home.orders.today);
    await pages.see(home.lowStock.none(5));
    await pages.miss(requests.panel.title);
    await pages.miss(home.attention.title);
    await pages.press("1 order");
    await pages.see(orders.columns.total);
    expect(pages.page.url()).to.match(/\/orders\?since=\d$/);
  });

  it("leads to the list of variants with few units", async () => {
    await buildProduct(pages.server.em, till.shop, { title: "Deck lantern", inventoryQuantity: 2 });
    await openAs(Role.MANAGER);
    await pages.press(home.viewAll);
    await pages.see(records.shown("1"));
    await pages.see("Deck lantern");
    await pages.press(stock.adjustOf("Deck lantern"));
    await pages.fill(stock.dialog.units, "9");
    await pages.submit();
    await pages.see(stock.noneLow.title);
    await pages.expectAccessible();
  });
});
