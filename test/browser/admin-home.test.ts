import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { Plan } from "../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildProduct, buildShop, buildStaff } from "../support/factories.ts";
import { CANCEL, CREATE, REFUND, SETTLE, useTill } from "../support/shops/till.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as home } from "../../admin/home/copy.ts";
import { keys } from "../../admin/credentials/copy.ts";
import { copy as orders } from "../../admin/orders/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";
import { copy as requests } from "../../admin/requests/copy.ts";
import { copy as stock } from "../../admin/stock/copy.ts";

describe(`Admin's overview in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const till = useTill(pages.server);

  const openAs = (role: Role) => pages.openAsRole(till.shop, role);

  it("shows an owner the orders, the requests, the endpoints and keys, and low stock", async () => {
    const { em, url } = pages.server;
    await till.must(CREATE, till.sale());
    await buildProduct(em, till.shop, { title: "Deck lantern", inventoryQuantity: 2 });
    const secret = await buildKey(em, till.shop);
    const { endpoint } = await buildEndpoint(pages.server, till.shop, "http://localhost:9/hooks");
    await till.sql("update api_keys set expires_at = now() + interval '2 days' where shop_id = $1");
    await fetch(`${url}/api/v1/${till.shop.id}/nothing`, { headers: { authorization: `Bearer ${secret}` } });
    await fetch(`${url}/api/v1/${till.shop.id}/products`, { headers: { authorization: `Bearer ${secret}` } });
    await eventually(
      () => till.sql("select from hourly_requests where shop_id = $1"),
      (rows) => rows.length > 0,
    );
    await till.sql(
      `insert into hourly_attempts (shop_id, endpoint_id, hour, attempts, failures, durations)
       values ($1, $2, date_trunc('hour', now()), 4, 3, '{0,4}')`,
      endpoint.id,
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
    await pages.miss(home.firstSteps.title);
    await pages.press("1 order");
    await pages.see(orders.columns.total);
    expect(pages.page.url()).to.match(/\/orders\?status=NOT_CANCELLED&since=\d$/);
  });

  it("counts what its lists show: no cancelled orders, and a payment due for unpaid and partially paid ones", async () => {
    await till.must(CREATE, till.sale());
    const partly = till.sale({ payments: [{ method: "CASH", amount: "3.80" }], isFulfilled: true });
    await till.must(CREATE, partly);
    await till.must(CREATE, till.sale({ payments: [{ method: "CASH", amount: "23.80" }] }));
    // Captured late for less than the total, which leaves nothing due.
    const card = { method: "CARD", amount: "20.00", status: "AUTHORIZED" };
    const cancelled = await till.must(CREATE, till.sale({ payments: [card] }));
    await till.must(CANCEL, { id: cancelled.id, input: {} });
    await till.must(SETTLE, { id: cancelled.payments[0].id, input: { status: "CAPTURED" } });
    await openAs(Role.CLERK);
    await pages.press("3 orders");
    await pages.see(records.count("3", "3"));
    await pages.miss(`#${cancelled.orderNumber}`);
    await pages.page.goBack();
    await pages.see(home.orders.paymentDue);
    await pages.page.locator('a[href*="payment=DUE"]::-p-text(2)').click();
    await pages.see(records.count("2", "2"));
    await pages.see(orders.paymentStatuses.PARTIALLY_PAID);
    await pages.see(orders.filters.paymentDue);
    await pages.expectAccessible();
  });

  it("shows the money to give back, and leads to its orders", async () => {
    const card = { method: "CARD", amount: "20.00", status: "AUTHORIZED" };
    const { id, orderNumber, payments } = await till.must(CREATE, till.sale({ payments: [card] }));
    await till.must(CANCEL, { id, input: {} });
    await till.must(SETTLE, { id: payments[0].id, input: { status: "CAPTURED" } });
    await till.must(CREATE, till.sale());
    await openAs(Role.OWNER);
    await pages.miss("Nothing needs your attention.");
    await pages.page.locator('a[href*="payment=OVERPAID"]::-p-text(1)').click();
    await pages.see(records.count("1", "1"));
    await pages.see(orders.overpaid("€20.00"));
    await pages.press(`#${orderNumber}`);
    await pages.press(orders.refund.action);
    await pages.fill(orders.amount("EUR"), "20");
    await pages.press(orders.refund.submitAmount("€20.00"));
    await pages.miss(orders.overpaid("€20.00"));
    await pages.expectAccessible();
  });

  it("shows sales after refunds, and the value of each day by keyboard, in English in any browser", async () => {
    const session = await pages.page.createCDPSession();
    await session.send("Emulation.setLocaleOverride", { locale: "de-DE" });
    const paid = [{ method: "CARD", amount: "23.80", status: "CAPTURED" }];
    await till.must(CREATE, till.sale({ payments: paid }));
    const { id } = await till.must(CREATE, till.sale({ payments: paid }));
    await till.must(REFUND, { id, input: { amount: "3.80" } });
    await openAs(Role.CLERK);
    await pages.see(home.orders.afterRefunds);
    await pages.see("€43.80");
    const day = await pages.page.waitForSelector('input[type="range"]');
    const valueOf = () => day!.evaluate((input) => input.getAttribute("aria-valuetext"));
    expect(await valueOf()).to.match(/: 2 orders, €43\.80$/);
    await day!.press("ArrowLeft");
    expect(await valueOf()).to.match(/: 0 orders, €0\.00$/);
    await pages.expectAccessible();
  });

  it("does not move while it loads", async () => {
    await till.must(CREATE, till.sale());
    await openAs(Role.OWNER);
    const { page } = pages;
    await page.evaluateOnNewDocument(() => {
      const seen = Object.assign(globalThis, { shifted: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shifted += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.setRequestInterception(true);
    page.on("request", async (request) => {
      if (request.postData()?.includes("OrderFigures")) await setTimeout(500);
      await request.continue();
    });
    await pages.open(`/${till.shop.id}`);
    await pages.see(home.orders.salesToday);
    expect(await page.evaluate("shifted")).to.be.below(0.1);
  });

  it("shows an empty shop first steps that its plan and the viewer's role allow", async () => {
    const { em, databaseUrl } = pages.server;
    const shop = await buildShop(em);
    const open = async (role: Role) => pages.openAs(await buildStaff(em, shop, role), `/${shop.id}`);
    const { firstSteps, lowStock } = home;
    const expectSteps = async (...steps: { action: string }[]) => {
      await pages.see(firstSteps.title);
      const links = await pages.page.$eval("main section", (panel) =>
        Array.from(panel.querySelectorAll("li a"), (link) => link.textContent),
      );
      expect(links).to.deep.equal(steps.map(({ action }) => action));
    };
    await open(Role.OWNER);
    await expectSteps(firstSteps.product, firstSteps.tax, firstSteps.key);
    await pages.see(lowStock.noProducts);
    await pages.expectAccessible();
    await pages.press(firstSteps.key.action);
    await pages.see(keys.empty.title);
    await buildProduct(em, shop);
    const end = "update shops set plan = $2, trial_ends_at = now() - interval '1 day' where id = $1";
    await query(databaseUrl, end, [shop.id, Plan.TRIAL]);
    await pages.open(`/${shop.id}`);
    await expectSteps(firstSteps.tax, firstSteps.invite);
    await pages.see(home.deliveries.none);
    await pages.miss(home.deliveries.add);
    await pages.miss(home.attention.none);
    await pages.expectAccessible();
    await pages.logOut();
    await open(Role.MANAGER);
    await pages.see(lowStock.title);
    await pages.miss(firstSteps.title);
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
