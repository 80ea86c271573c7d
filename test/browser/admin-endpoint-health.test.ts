import { WebhookEndpoint } from "../../src/core/model/webhooks/webhook-endpoint.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildCountedHour } from "../support/webhooks/deliveries.ts";
import { buildEndpoint, buildProduct } from "../support/factories.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { useWorld } from "../support/world.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as endpoints } from "../../admin/endpoints/copy.ts";

const { health, receiverCheck } = endpoints;
/** The text without its placeholder at the end. */
const slowText = health.slowText.replace("{link}", "").trim();
/** The texts after their placeholder. */
const [gone, neverSucceeded] = [health.gone, health.neverSucceeded].map((text) => text.split("} ")[1]!) as [
  string,
  string,
];
const HOUR = 3_600_000;

describe(`The health of endpoints in Admin${withoutChromium}`, () => {
  const pages = useAdminPages({ worker: true });
  const receiver = useReceiver();
  const { shop, staff: owner } = useWorld(pages.server, { name: "Harbour Goods" });
  let endpoint: WebhookEndpoint;

  beforeEach(async () => {
    ({ endpoint } = await buildEndpoint(pages.server, shop, `${receiver.url}/${shop.id}`));
  });

  const open = () => pages.openAs(owner, `/${shop.id}/endpoints/${endpoint.id}`);
  const set = (state: Partial<WebhookEndpoint>) =>
    pages.server.em.fork().nativeUpdate(WebhookEndpoint, { shopId: shop.id, id: endpoint.id }, state);

  it("shows since when an endpoint fails, and when it will be disabled", async () => {
    receiver.status = 500;
    await buildProduct(pages.server.em, shop);
    await open();
    await pages.see(health.statuses.FAILING);
    await pages.see(health.failures(1, "1"));
    await pages.see(health.stillSending);
    await pages.see("in 5 days");
    await pages.expectAccessible();
  });

  it("marks a slow endpoint, with a link to the documentation", async () => {
    const durations = Array.from({ length: 20 }, () => 4_000);
    await buildCountedHour(pages.server.databaseUrl, endpoint, durations);
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.see(health.slow);
    await pages.see(health.statuses.HEALTHY);
    await pages.see(slowText);
    await pages.expectAccessible();
    await pages.press(`${receiver.url}/${shop.id}`);
    await pages.see(endpoints.testEvent.title);
    await pages.see(slowText);
    await pages.expectAccessible();
    await pages.press(health.slowLink);
    await pages.page.waitForSelector("#answering");
    const isShown = () => document.querySelector("#answering")!.getBoundingClientRect().top < innerHeight;
    await pages.page.waitForFunction(isShown);
    await pages.expectAccessible();
  });

  it("checks the receiver, and shows how to correct it", async () => {
    await open();
    await pages.press(receiverCheck.start);
    await pages.see("the receiver verifies nothing");
    await pages.see("Refuses a wrong signature");
    await pages.see("Responded with 204. Verify the signature before anything else");
    await pages.see(receiverCheck.passed);
    await pages.seeCell(receiverCheck.failed);
    await pages.expectAccessible();
    await pages.press(receiverCheck.start);
    await pages.see("A receiver can be checked once a minute");
  });

  it("shows the next probe of a suspended endpoint", async () => {
    const now = Date.now();
    await set({
      consecutiveFailures: 12,
      failingSince: new Date(now - 3 * HOUR),
      lastFailedAt: new Date(now),
      probeAt: new Date(now + 2 * HOUR),
    });
    await open();
    await pages.see(health.statuses.SUSPENDED);
    await pages.see(health.failures(12, "12"));
    await pages.see("3 hours ago");
    await pages.see(health.probing);
    await pages.see("in 2 hours");
    await pages.expectAccessible();
  });

  it("shows that a gone endpoint is disabled, and enables it by a successful test event", async () => {
    receiver.status = 410;
    await buildProduct(pages.server.em, shop);
    await open();
    await pages.see(health.statuses.DISABLED);
    await pages.see(gone);
    await pages.see(endpoints.replay.disabled);
    await pages.expectAccessible();
    receiver.status = 204;
    await pages.press(endpoints.testEvent.send);
    await pages.see(health.statuses.HEALTHY);
    await pages.miss(gone);
  });

  it("shows that an endpoint was disabled after five days of failures", async () => {
    const disabledAt = new Date(Date.now() - HOUR);
    await set({ consecutiveFailures: 40, failingSince: new Date(0), disabledAt, disabledReason: "FAILING" });
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.see(health.statuses.DISABLED);
    await pages.see(neverSucceeded);
    await pages.see("1 hour ago");
  });
});
