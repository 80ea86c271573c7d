import { expect } from "chai";
import { DeliveryStatus } from "../../src/core/model/webhooks/event.entity.ts";
import { WebhookEndpoint } from "../../src/core/model/webhooks/webhook-endpoint.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildAttempts, buildDelivery } from "../support/webhooks/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint } from "../support/factories.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { useWorld } from "../support/world.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as deliveries } from "../../admin/deliveries/copy.ts";
import { copy as endpoints } from "../../admin/endpoints/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";

const { filters } = deliveries;
const succeeded = deliveries.withReason(deliveries.statuses.SUCCEEDED, 204);
const isDisabled = (button: Element) => (button as HTMLButtonElement).disabled || button.ariaDisabled === "true";
const FAILED = { status: DeliveryStatus.FAILED, attempts: 10, errorClass: "HTTP_STATUS", responseStatus: 500 };

describe(`Admin's deliveries in a browser${withoutChromium}`, () => {
  const pages = useAdminPages({ worker: true });
  const receiver = useReceiver();
  const { shop, staff: owner } = useWorld(pages.server, { name: "Harbour Goods" });
  let endpoint: WebhookEndpoint;

  beforeEach(async () => {
    ({ endpoint } = await buildEndpoint(pages.server, shop, `${receiver.url}/${shop.id}`));
  });

  const make = (topic: "product.created" | "product.updated" | "product.deleted", overrides = {}) =>
    buildDelivery(pages.server.em, endpoint, { topic, ...FAILED, ...overrides });
  const topics = () => pages.page.$$eval("tbody a", (links) => links.map((link) => link.textContent));

  it("announces new rows and shows them on request", async () => {
    await make("product.created", { createdAt: new Date(Date.now() - 60_000) });
    await pages.openAs(owner, `/${shop.id}/deliveries`);
    await pages.see("product.created");
    await make("product.updated");
    await pages.see(deliveries.showNew("1"));
    expect(await topics()).to.deep.equal(["product.created"]);
    await pages.expectAccessible();
    await pages.press(deliveries.showNew("1"));
    await pages.miss(deliveries.showNew("1"));
    expect(await topics()).to.deep.equal(["product.updated", "product.created"]);
  });

  it("loads more rows and refreshes the status of all", async () => {
    await make("product.created", { createdAt: new Date(Date.now() - 60_000) });
    for (let index = 0; index < 50; index += 1) await make("product.updated");
    await pages.openAs(owner, `/${shop.id}/deliveries`);
    await pages.see("50 of 51");
    await pages.press(records.loadMore);
    await pages.see("51 of 51");
    await pages.press("product.created");
    await pages.press(deliveries.replay);
    await pages.page.waitForSelector(`tbody ::-p-text(${succeeded})`);
    await make("product.deleted");
    await pages.see(deliveries.showNew("1"));
    await pages.see("51 of 51");
  });

  it("filters by status, topic, error and event, with the filters in the URL", async () => {
    const { eventId } = await make("product.created");
    await make("product.updated", { errorClass: "TIMEOUT", responseStatus: null });
    const later = new Date(Date.now() + 3_600_000);
    await make("product.deleted", { status: DeliveryStatus.PENDING, attempts: 0, nextAttemptAt: later });
    await pages.openAs(owner, `/${shop.id}/deliveries`);
    await pages.see("3 of 3");
    await pages.choose(filters.status, deliveries.statuses.FAILED);
    await pages.see("2 of 2");
    await pages.choose(filters.error, deliveries.errorClasses.TIMEOUT);
    await pages.see("1 of 1");
    expect(await topics()).to.deep.equal(["product.updated"]);
    await pages.choose(filters.topic, "product.deleted");
    await pages.see(deliveries.noMatch.title);
    await pages.open(`/${shop.id}/deliveries?status=FAILED`);
    await pages.see("2 of 2");
    await pages.page.locator('input[type="search"]').fill(eventId);
    await pages.see("1 of 1");
    expect(await topics()).to.deep.equal(["product.created"]);
    expect(pages.page.url()).to.include(`event=${eventId}`);
  });

  it("shows and filters deliveries of a deleted endpoint, without replay", async () => {
    await make("product.created");
    await pages.openAs(owner, `/${shop.id}/endpoints/${endpoint.id}`);
    await pages.press(endpoints.moreActions);
    await pages.press(endpoints.delete);
    await pages.see(endpoints.deleteText(endpoint.url));
    await pages.expectAccessible();
    await pages.press(endpoints.deleteSubmit);
    await pages.see(endpoints.empty.title);
    await pages.open(`/${shop.id}/deliveries`);
    await pages.see("1 of 1");
    await pages.seeCell(`${endpoint.url} ${deliveries.deleted}`);
    await pages.expectAccessible();
    await pages.choose(filters.endpoint, filters.deletedEndpoint(endpoint.url));
    await pages.page.waitForFunction((id) => location.search.includes(id), {}, endpoint.id);
    await pages.see("1 of 1");
    await pages.press("product.created");
    await pages.see(deliveries.endpointDeleted);
    await pages.expectAccessible();
    expect(await pages.page.$eval(`::-p-aria([name="${deliveries.replay}"][role="button"])`, isDisabled)).to.equal(
      true,
    );
  });

  it("combines several filters", async () => {
    const { endpoint: other } = await buildEndpoint(pages.server, shop, `${receiver.url}/other`);
    const aDayAgo = new Date(Date.now() - 86_400_000);
    const timeout = { errorClass: "TIMEOUT", responseStatus: null };
    const { id, eventId } = await make("product.updated", timeout);
    await make("product.updated");
    await make("product.created", timeout);
    await make("product.updated", { ...timeout, createdAt: aDayAgo });
    await make("product.updated", { ...timeout, status: DeliveryStatus.PENDING });
    await buildDelivery(pages.server.em, other, { topic: "product.updated", ...FAILED, ...timeout });
    await pages.openAs(owner, `/${shop.id}/deliveries`);
    await pages.see("6 of 6");
    await pages.choose(filters.topic, "product.updated");
    await pages.see("5 of 5");
    await pages.choose(filters.error, deliveries.errorClasses.TIMEOUT);
    await pages.see("4 of 4");
    await pages.choose(filters.status, deliveries.statuses.FAILED);
    await pages.see("3 of 3");
    await pages.choose(filters.endpoint, endpoint.url);
    await pages.see("2 of 2");
    await pages.choose(filters.time, filters.lastHour);
    await pages.see("1 of 1");
    const found = await pages.page.$eval("tbody a", (link) => link.getAttribute("href"));
    expect(found).to.include(id);
    await pages.page.reload();
    await pages.see("1 of 1");
    await pages.fill(filters.event, eventId);
    await pages.page.waitForFunction((event) => location.search.includes(event), {}, eventId);
    await pages.see("1 of 1");
  });

  it("shows each attempt of a delivery and replays it", async () => {
    const { page } = pages;
    const delivery = await make("product.created", { body: '{"id":"evt_sample"}' });
    await buildAttempts(pages.server.databaseUrl, delivery, 2, new Date());
    await pages.openAs(owner, `/${shop.id}/deliveries`);
    await pages.press("product.created");
    await pages.see("HTTP 500");
    await pages.see('"id": "evt_sample"');
    expect(page.url()).to.include(`delivery=${delivery.id}`);
    await pages.expectAccessible();
    await pages.press(deliveries.replay);
    const taken = () => receiver.received.find(({ path }) => path === `/${shop.id}`);
    const { body } = (await eventually(taken, (found) => found !== undefined))!;
    expect(body.toString()).to.equal('{"id":"evt_sample"}');
    await page.waitForSelector(`[role="dialog"] ::-p-text(${succeeded})`);
    await page.keyboard.press("Escape");
    await page.waitForSelector('[role="dialog"]', { hidden: true });
    expect(page.url()).not.to.include("delivery=");
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal("product.created");
  });

  it("explains why a delivery is pending", async () => {
    await pages.server.em.fork().nativeUpdate(WebhookEndpoint, { shopId: shop.id, id: endpoint.id }, { paused: true });
    const waiting = await make("product.created", { status: DeliveryStatus.PENDING, attempts: 0, errorClass: null });
    await pages.openAs(owner, `/${shop.id}/deliveries?delivery=${waiting.id}`);
    await pages.see(deliveries.waiting.paused);
    await pages.see(deliveries.withReason(deliveries.statuses.PENDING, deliveries.paused));
  });
});
