import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildDelivery } from "../support/webhooks/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { useReceiver, type ReceivedDelivery } from "../support/webhooks/receiver.ts";
import { DeliveryStatus } from "../../src/core/model/webhooks/event.entity.ts";
import { Plan } from "../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { useAdminPages } from "./admin-pages.ts";

describe(`Admin's webhook endpoints in a browser${withoutChromium}`, function () {
  this.timeout(90_000);
  const pages = useAdminPages({ worker: true });
  const receiver = useReceiver();
  let shop: Shop;
  let owner: TestStaff;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    owner = await buildStaff(pages.server.em, shop);
    Object.assign(receiver, { received: [], status: 204, answerBody: "" });
  });

  const open = async () => {
    const { endpoint, secret } = await buildEndpoint(pages.server, shop, `${receiver.url}/${shop.id}`);
    await pages.openAs(owner, `/${shop.id}/endpoints/${endpoint.id}`);
    await pages.see("Nothing was sent in the last 24 hours");
    return { endpoint, secret };
  };

  /** The first deliveries to this test's shop, once there are so many. */
  const received = async (count: number) =>
    (
      await eventually(
        () => receiver.received.filter(({ path }) => path === `/${shop.id}`),
        ({ length }) => length >= count,
      )
    ).slice(0, count);

  const shownSecret = () =>
    pages.page.$eval("[role=dialog] input[readonly]", (input) => (input as HTMLInputElement).value);

  const keepSecret = async () => {
    await pages.press("I have stored it. It cannot be shown again.");
    await pages.press("Done");
  };

  /** @throws Error unless the secret is among those that signed */
  const verify = (secret: string, { body, headers }: ReceivedDelivery) =>
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);

  it("adds one with topics and headers, which gets signed deliveries", async () => {
    const { page } = pages;
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.see("No endpoints yet");
    await pages.press("Add endpoint");
    await pages.fill("URL", `${receiver.url}/${shop.id}`);
    await pages.fill("Description (optional)", "Stock of the warehouse");
    await page.locator("label::-p-text(product.created)").click();
    await pages.press("Add header");
    await pages.fill("Name 1", "Authorization");
    await pages.fill("Value 1", "Basic c2hvcA==");
    await pages.expectAccessible();
    await pages.submit();
    await pages.see("The endpoint is ready");
    const secret = await shownSecret();
    await keepSecret();
    await pages.see("Stock of the warehouse");
    expect(await page.content()).not.to.include(secret);
    await buildProduct(pages.server.em, shop);
    const [delivery] = (await received(1)) as [ReceivedDelivery];
    expect(delivery.headers).to.include({ authorization: "Basic c2hvcA==" });
    verify(secret, delivery);
    await pages.see("1 of 1");
    await pages.see("Every attempt of the last 24 hours succeeded");
    await pages.expectAccessible();
  });

  it("says at its field why an address is refused", async () => {
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.press("Add endpoint");
    await pages.fill("URL", "ftp://example.com/");
    await pages.page.locator("label::-p-text(product.created)").click();
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] input[name="url"][aria-invalid="true"]');
  });

  it("rotates the secret, and signs with the new one when told", async () => {
    const { secret: old } = await open();
    await pages.press("Rotate secret");
    await pages.press("Keep the old secret until I say so, or it ends");
    await pages.press("Make new secret");
    await pages.see("The new secret");
    const secret = await shownSecret();
    await keepSecret();
    await pages.press("Sign with the new one now");
    await pages.see("The new secret signs. Until it ends");
    await buildProduct(pages.server.em, shop);
    const [delivery] = (await received(1)) as [ReceivedDelivery];
    verify(secret, delivery);
    verify(old, delivery);
  });

  it("shows the answer to a test event where it was sent", async () => {
    await open();
    Object.assign(receiver, { status: 418, answerBody: "I am a teapot" });
    await pages.press("Send test event");
    await pages.see("I am a teapot");
    const [delivery] = (await received(1)) as [ReceivedDelivery];
    expect(delivery.headers).to.have.property("x-webhook-test");
    await pages.expectAccessible();
  });

  it("pauses and goes on", async () => {
    await open();
    await pages.press("Paused");
    await pages.see("Events are kept, and sent once it is unpaused");
    await buildProduct(pages.server.em, shop);
    await pages.page.waitForSelector("dd ::-p-text(1)");
    expect(receiver.received).to.deep.equal([]);
    await pages.press("Paused");
    await received(1);
  });

  it("replays what failed, after saying how much that is", async () => {
    const { endpoint } = await open();
    for (let index = 0; index < 3; index += 1) {
      await buildDelivery(pages.server.em, endpoint, {
        status: DeliveryStatus.FAILED,
        attempts: 10,
        errorClass: "TIMEOUT",
      });
    }
    const release = receiver.hold();
    await pages.press("Replay 3 failed");
    await pages.see("3 queued");
    await pages.see("of 3 attempted");
    release();
    await received(3);
    await pages.see("Replay 0 failed");
  });

  it("changes and deletes one", async () => {
    await open();
    await pages.press("Edit");
    await pages.fill("Description (optional)", "Till");
    await pages.page.locator("label::-p-text(order.paid)").click();
    await pages.press("Save");
    await pages.see("The endpoint is changed");
    await pages.see("order.paid");
    await pages.press("More actions");
    await pages.press("Delete");
    await pages.press("Delete endpoint");
    await pages.see("No endpoints yet");
    await pages.seeFocusedHeading();
  });

  it("says why none can be added, and who may", async () => {
    const small = await buildShop(pages.server.em, { plan: Plan.NONE });
    await pages.openAs(await buildStaff(pages.server.em, small), `/${small.id}/endpoints`);
    await pages.see("plan includes no webhooks");
    await pages.context.deleteCookie(...(await pages.context.cookies()));
    await pages.openAs(await buildStaff(pages.server.em, shop, Role.CLERK), `/${shop.id}/endpoints`);
    await pages.see("This page is not for your role");
  });
});
