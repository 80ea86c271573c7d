import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { WebhookEndpoint } from "../../src/core/model/webhooks/webhook-endpoint.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildCountedHour } from "../support/webhooks/counted-hours.ts";
import { buildEndpoint, buildProduct, buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { useAdminPages } from "./admin-pages.ts";

const HOUR = 3_600_000;

describe(`The health of endpoints in Admin${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages({ worker: true });
  const receiver = useReceiver();
  let shop: Shop;
  let owner: TestStaff;
  let endpoint: WebhookEndpoint;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    owner = await buildStaff(pages.server.em, shop);
    ({ endpoint } = await buildEndpoint(pages.server, shop, `${receiver.url}/${shop.id}`));
    Object.assign(receiver, { received: [], status: 204, answerBody: "" });
  });

  const open = () => pages.openAs(owner, `/${shop.id}/endpoints/${endpoint.id}`);
  const set = (state: Partial<WebhookEndpoint>) =>
    pages.server.em.fork().nativeUpdate(WebhookEndpoint, { shopId: shop.id, id: endpoint.id }, state);

  it("says since when one fails, and when it would be disabled", async () => {
    receiver.status = 500;
    await buildProduct(pages.server.em, shop);
    await open();
    await pages.see("Failing");
    await pages.see("The last attempt failed, since");
    await pages.see("Deliveries are still sent");
    await pages.see("in 5 days");
    await pages.expectAccessible();
  });

  it("says that one answers slowly, and leads to what to do", async () => {
    const durations = Array.from({ length: 20 }, () => 4_000);
    await buildCountedHour(pages.server.databaseUrl, endpoint, durations);
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.see("Slow");
    await pages.see("Healthy");
    await pages.see("more than 5 % of attempts in the last 24 hours took over three seconds");
    await pages.expectAccessible();
    await pages.press(`${receiver.url}/${shop.id}`);
    await pages.see("Test event");
    await pages.see("Answer 2xx first, then do the work");
    await pages.expectAccessible();
    await pages.press("How to answer quickly");
    await pages.page.waitForSelector("#answering");
    const isShown = () => document.querySelector("#answering")!.getBoundingClientRect().top < innerHeight;
    await pages.page.waitForFunction(isShown);
    await pages.expectAccessible();
  });

  it("says when a suspended one is tried again", async () => {
    const now = Date.now();
    await set({
      consecutiveFailures: 12,
      failingSince: new Date(now - 3 * HOUR),
      lastFailedAt: new Date(now),
      probeAt: new Date(now + 2 * HOUR),
    });
    await open();
    await pages.see("Suspended");
    await pages.see("The last 12 attempts failed, since");
    await pages.see("3 hours ago");
    await pages.see("One delivery at a time tests whether it is healthy again");
    await pages.see("in 2 hours");
    await pages.expectAccessible();
  });

  it("says that one is disabled because it is gone, and enables it by a test event that succeeds", async () => {
    receiver.status = 410;
    await buildProduct(pages.server.em, shop);
    await open();
    await pages.see("Disabled");
    await pages.see("the receiver answered 410 Gone");
    await pages.see("A test event that succeeds has to enable the endpoint first");
    await pages.expectAccessible();
    receiver.status = 204;
    await pages.press("Send test event");
    await pages.see("Healthy");
    await pages.miss("410 Gone");
  });

  it("says that one is disabled because it did nothing but fail", async () => {
    const disabledAt = new Date(Date.now() - HOUR);
    await set({ consecutiveFailures: 40, failingSince: new Date(0), disabledAt, disabledReason: "FAILING" });
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.see("Disabled");
    await pages.see("every attempt of five days failed");
    await pages.see("1 hour ago");
  });
});
