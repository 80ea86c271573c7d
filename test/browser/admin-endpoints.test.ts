import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildDelivery } from "../support/webhooks/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop, buildStaff } from "../support/factories.ts";
import { useReceiver, type ReceivedDelivery } from "../support/webhooks/receiver.ts";
import { useWorld } from "../support/world.ts";
import { DeliveryStatus } from "../../src/core/model/webhooks/event.entity.ts";
import { Plan } from "../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as deliveries } from "../../admin/deliveries/copy.ts";
import { copy as endpoints } from "../../admin/endpoints/copy.ts";
import { copy as shell } from "../../admin/shell/copy.ts";

const { explanation } = endpoints;

describe(`Admin's webhook endpoints in a browser${withoutChromium}`, () => {
  const pages = useAdminPages({ worker: true });
  const receiver = useReceiver();
  const { shop, staff: owner, run } = useWorld(pages.server, { name: "Harbour Goods" });

  const open = async () => {
    const { endpoint, secret } = await buildEndpoint(pages.server, shop, `${receiver.url}/${shop.id}`);
    await pages.openAs(owner, `/${shop.id}/endpoints/${endpoint.id}`);
    await pages.see(endpoints.health.nothingSentYet);
    await pages.press(endpoints.health.sendTest);
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

  /** @throws Error unless one of the signatures is of this secret */
  const verify = (secret: string, { body, headers }: ReceivedDelivery) =>
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);

  it("adds an endpoint with topics and headers, which receives signed deliveries", async () => {
    const { page } = pages;
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.see(endpoints.empty.title);
    await pages.press(endpoints.add);
    await pages.fill(endpoints.fields.url, `${receiver.url}/${shop.id}`);
    await pages.fill(endpoints.fields.description, "Stock of the warehouse");
    await page.locator("label::-p-text(product.created)").click();
    await pages.press(endpoints.fields.addHeader);
    await pages.fill(endpoints.fields.headerName(1), "Authorization");
    await pages.fill(endpoints.fields.headerValue(1), "Basic c2hvcA==");
    await pages.expectAccessible();
    await pages.submit();
    await pages.see(endpoints.createDone);
    const secret = await pages.readSecret();
    await pages.confirmSecret();
    await pages.see("Stock of the warehouse");
    expect(await page.content()).not.to.include(secret);
    await buildProduct(pages.server.em, shop);
    const [delivery] = (await received(1)) as [ReceivedDelivery];
    expect(delivery.headers).to.include({ authorization: "Basic c2hvcA==" });
    verify(secret, delivery);
    await pages.see(endpoints.figures.failedAttempts("0"));
    await pages.see(endpoints.health.allSucceeded);
    await pages.expectAccessible();
  });

  it("asks for some fields, leaves out a key's changes, and forgets the key when it is revoked", async () => {
    const { page } = pages;
    const { apiKey } = await run("createApiKey", { input: { name: "ERP sync", scopes: ["READ_PRODUCTS"] } });
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.press(endpoints.add);
    await pages.fill(endpoints.fields.url, `${receiver.url}/${shop.id}`);
    await page.locator("label::-p-text(product.updated)").click();
    await page.locator("label::-p-text(product.updated.price)").click();
    await page.locator("label::-p-text(ERP sync)").click();
    await pages.expectAccessible();
    await pages.submit();
    await pages.confirmSecret();
    await pages.press(`${receiver.url}/${shop.id}`);
    await pages.see("product.updated.price");
    await pages.see("ERP sync");
    await pages.miss(endpoints.filters.inactive);
    await run("revokeApiKey", { id: apiKey.id });
    await page.reload();
    await pages.see(endpoints.filters.inactive);
    await pages.press(endpoints.edit);
    await page.locator("[role=dialog] label::-p-text(ERP sync)").click();
    await pages.expectAccessible();
    await pages.submit();
    await pages.see(endpoints.editDone);
    await pages.miss("ERP sync");
    await pages.see("product.updated.price");
  });

  it("shows at the field why a URL is refused", async () => {
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.press(endpoints.add);
    await pages.fill(endpoints.fields.url, "ftp://example.com/");
    await pages.page.locator("label::-p-text(product.created)").click();
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] input[name="url"][aria-invalid="true"]');
  });

  it("rotates the secret, and activates the new one on request", async () => {
    const { secret: old } = await open();
    await pages.press(endpoints.secret.rotate);
    await pages.press(endpoints.secret.delaySwitch);
    await pages.press(endpoints.secret.rotateSubmit);
    await pages.see(endpoints.secret.rotated);
    const secret = await pages.readSecret();
    await pages.confirmSecret();
    await pages.press(endpoints.secret.activate);
    await pages.see(endpoints.secret.overlap.split("{")[0]!.trim());
    await buildProduct(pages.server.em, shop);
    const [delivery] = (await received(1)) as [ReceivedDelivery];
    verify(secret, delivery);
    verify(old, delivery);
  });

  it("shows the response to a test event", async () => {
    await open();
    Object.assign(receiver, { status: 418, answerBody: "I am a teapot" });
    await pages.press(endpoints.testEvent.send);
    await pages.see("I am a teapot");
    const [delivery] = (await received(1)) as [ReceivedDelivery];
    expect(delivery.headers).to.have.property("x-webhook-test");
    await pages.expectAccessible();
  });

  it("pauses and resumes an endpoint", async () => {
    await open();
    await pages.press(endpoints.activeSwitch);
    await pages.see(endpoints.health.pausedText);
    await buildProduct(pages.server.em, shop);
    await pages.page.waitForSelector("dd ::-p-text(1)");
    expect(receiver.received).to.deep.equal([]);
    await pages.press(endpoints.activeSwitch);
    await received(1);
  });

  it("counts failed deliveries and replays them", async () => {
    const { endpoint } = await open();
    for (let index = 0; index < 3; index += 1) {
      await buildDelivery(pages.server.em, endpoint, {
        status: DeliveryStatus.FAILED,
        attempts: 10,
        errorClass: "TIMEOUT",
      });
    }
    const release = receiver.hold();
    await pages.press(endpoints.replay.submit(3, "3"));
    await pages.see(endpoints.replay.queued(3, "3"));
    await pages.page.waitForSelector("progress[max='3']");
    release();
    await received(3);
    await pages.see(endpoints.replay.submit(0, "0"));
  });

  it("names every mistake at once in the words of the form, and shows the first", async () => {
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.press(endpoints.add);
    await pages.fill(endpoints.fields.url, "not a url");
    await pages.submit();
    await pages.see(endpoints.emptyFields.topics);
    await pages.see("Enter a URL");
    expect(await pages.page.evaluate(() => document.activeElement?.getAttribute("name"))).to.equal("url");
    await pages.expectAccessible();
    await pages.fill(endpoints.fields.url, `${receiver.url}/hooks`);
    await pages.submit();
    await pages.miss("Enter a URL");
    const isFocused = (label: string) => document.activeElement?.closest("label")?.textContent === label;
    await pages.page.waitForFunction(isFocused, {}, endpoints.fields.allTopics);
    await pages.press(endpoints.fields.allTopics);
    await pages.miss(endpoints.emptyFields.topics);
  });

  it("explains why an event did not come, and who changed what in one that came", async () => {
    const { id } = await run("createProduct", { input: { title: "Mug", variants: [{ price: "1" }] } });
    const input = { topics: ["product.updated"], fields: ["product.updated.title"], url: `${receiver.url}/${shop.id}` };
    const { endpoint } = await run("createWebhookEndpoint", { input });
    await run("updateProduct", { id, input: { status: "DRAFT" } });
    await run("updateProduct", { id, input: { title: "Jug" } });
    await received(1);
    await pages.openAs(owner, `/${shop.id}/endpoints/${endpoint.id}`);
    const field = pages.page.locator(`input[aria-label="${explanation.recordId}"]`);
    await field.fill("prod_1");
    await pages.page.keyboard.press("Enter");
    await pages.see(explanation.invalid);
    await field.fill(id);
    await pages.page.keyboard.press("Enter");
    await pages.see(explanation.reasons.ADDED_LATER);
    await pages.see(explanation.reasons.OTHER_FIELDS.replace("{changed}", "status"));
    await pages.see("Delivered just now.");
    await pages.expectAccessible();
    await pages.press("product.updated");
    await pages.see(deliveries.changed);
    await pages.see(owner.email);
    await pages.expectAccessible();
  });

  it("edits and deletes an endpoint", async () => {
    await open();
    await pages.press(endpoints.edit);
    await pages.fill(endpoints.fields.description, "Till");
    await pages.page.locator("label::-p-text(order.paid)").click();
    await pages.press(endpoints.save);
    await pages.see(endpoints.editDone);
    await pages.see("order.paid");
    await pages.press(endpoints.moreActions);
    await pages.press(endpoints.delete);
    await pages.press(endpoints.deleteSubmit);
    await pages.see(endpoints.empty.title);
    await pages.seeFocusedHeading();
  });

  it("explains why no endpoint can be added, and who can change the plan", async () => {
    const small = await buildShop(pages.server.em, { plan: Plan.NONE });
    await pages.openAs(await buildStaff(pages.server.em, small), `/${small.id}/endpoints`);
    await pages.see(shell.planEnded.text);
    await pages.context.deleteCookie(...(await pages.context.cookies()));
    await pages.openAs(await buildStaff(pages.server.em, shop, Role.CLERK), `/${shop.id}/endpoints`);
    await pages.see(shell.noAccess.title);
  });
});
