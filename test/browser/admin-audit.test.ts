import { expect } from "chai";
import { useAdminPages } from "./admin-pages.ts";
import { openBrowserAs } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildKey, buildOrder } from "../support/factories.ts";
import { useWorld } from "../support/world.ts";
import { copy as audit } from "../../admin/audit/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";

const shopUpdated = audit.areas.shop.actions.SHOP_UPDATED;
const UPDATE = `mutation ($shopId: ID!, $name: String!) { updateShop(shopId: $shopId, input: { name: $name }) { id } }`;

describe(`Admin's audit log in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const { shop, staff: owner } = useWorld(pages.server, { name: "Harbour Goods" });

  beforeEach(async () => {
    await buildKey(pages.server.em, shop);
    const browser = await openBrowserAs(pages.server, owner);
    await browser.ask(UPDATE, { shopId: shop.id, name: "Harbour and Sons" });
  });

  const count = () => pages.page.$$eval("main tbody tr", (rows) => rows.length);

  it("lists actor, action, record and origin, and filters them", async () => {
    await pages.openAs(owner, `/${shop.id}/audit`);
    await pages.see(shopUpdated);
    await pages.see("Name: Harbour Goods → Harbour and Sons");
    await pages.miss("127.0.0.1");
    await pages.press(shopUpdated);
    await pages.see("127.0.0.1");
    const height = await pages.page.$eval("main tbody tr", (row) => row.clientHeight);
    expect(height, "one line").to.be.below(45);
    const hidden = await pages.page.$eval(
      "main table",
      ({ scrollWidth, parentElement }) => scrollWidth - parentElement!.clientWidth,
    );
    expect(hidden, "no column is cut").to.be.at.most(0);
    await pages.see(audit.areas.keys.actions.API_KEY_CREATED);
    await pages.expectAccessible();
    await pages.choose(audit.filters.area, audit.areas.keys.title);
    await pages.miss(shopUpdated);
    expect(pages.page.url()).to.match(/audit\?action=keys$/);
    await pages.choose(audit.filters.area, audit.areas.logins.title);
    await pages.see(audit.areas.logins.actions.MEMBER_LOGGED_IN);
    await pages.choose(audit.filters.area, audit.areas.shop.title);
    await pages.miss(audit.areas.logins.actions.MEMBER_LOGGED_IN);
    await pages.press(owner.email);
    await pages.choose(audit.filters.area, audit.filters.anyArea);
    await pages.see(audit.areas.logins.actions.MEMBER_LOGGED_IN);
    await pages.miss(audit.areas.keys.actions.API_KEY_CREATED);
    await pages.page.reload();
    await pages.see(shopUpdated);
    // They logged in twice.
    expect(await count()).to.equal(3);
    await pages.press(audit.filters.clearActor);
    await pages.see("Access: read products, write products");
    await pages.fill(audit.search, "SETTINGS updated");
    await pages.miss(audit.areas.keys.actions.API_KEY_CREATED);
    await pages.see(shopUpdated);
    await pages.fill(audit.search, "test KEY created");
    await pages.miss(shopUpdated);
    await pages.press(audit.areas.keys.actions.API_KEY_CREATED);
    await pages.press(audit.historyOf("Test key"));
    await pages.miss(shopUpdated);
    await pages.choose(audit.filters.area, audit.areas.orders.title);
    await pages.see(audit.noMatch.title);
    await pages.expectAccessible();
  });

  it("shows sums with their currency, and orders with their numbers", async () => {
    const { id, orderNumber } = await buildOrder(pages.server.em, shop);
    const browser = await openBrowserAs(pages.server, owner);
    await browser.ask(
      `mutation ($shopId: ID!, $id: ID!) {
        recordPayment(shopId: $shopId, orderId: $id, input: { method: CARD, amount: "1.5", allowOverpayment: true }) { id }
      }`,
      { shopId: shop.id, id },
    );
    await pages.openAs(owner, `/${shop.id}/audit?action=orders`);
    await pages.see("Amount: €1.50");
    await pages.see(`#${orderNumber}`);
  });

  it("loads more entries", async () => {
    const browser = await openBrowserAs(pages.server, owner);
    for (let round = 0; round < 50; round++) await browser.ask(UPDATE, { shopId: shop.id, name: `Shop ${round}` });
    await pages.openAs(owner, `/${shop.id}/audit?action=shop`);
    await pages.press(records.loadMore);
    await pages.see(records.shown("51"));
    expect(await count()).to.equal(51);
  });
});
