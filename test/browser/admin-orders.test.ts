import { expect } from "chai";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildCustomer, buildOrder, buildStaff } from "../support/factories.ts";
import { CREATE, FULFILL, UPDATE, useTill } from "../support/shops/till.ts";
import { useAdminPages } from "./admin-pages.ts";

const FIND = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { order(id: $id) {
  status paymentStatus fulfillmentStatus refundedAmount cancelReason notes receiptNumber
  items { fulfilledQuantity refundedQuantity restockedQuantity } payments { method status amount reference } } } }`;

describe(`Admin's orders in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  const till = useTill(pages.server);

  const openAs = async (role: Role, path: string) =>
    pages.openAs(await buildStaff(pages.server.em, till.shop, role), `/${till.shop.id}${path}`);
  const find = async (id: string) => (await till.ask(FIND, { id })).data.shop.order;

  it("takes payments, hands over and refunds units back into stock", async () => {
    const order = await till.must(CREATE, till.sale());
    await openAs(Role.CLERK, `/orders/${order.id}`);
    await pages.see("Left to pay");
    await pages.press("Take a payment");
    await pages.fill("Amount in EUR", "3,80");
    await pages.choose("Paid by", "Cash");
    await pages.submit();
    await pages.see("Partly paid");
    await pages.press("Take a payment");
    await pages.see("€20.00 of order");
    await pages.fill("Reference (optional)", "terminal 7");
    await pages.submit();
    await pages.see("R-000001");
    expect((await find(order.id)).payments).to.deep.equal([
      { method: "CASH", status: "CAPTURED", amount: "3.80", reference: null },
      { method: "CARD", status: "CAPTURED", amount: "20.00", reference: "terminal 7" },
    ]);

    await pages.press("Hand over");
    await pages.fill("Units to hand over: Imported product", "1");
    await pages.submit();
    await pages.see("Partly handed over");
    expect(await find(order.id)).to.deep.include({ fulfillmentStatus: "PARTIALLY_FULFILLED" });

    await pages.press("Refund");
    await pages.fill("Units to give back: Imported product", "1");
    await pages.see("€11.90 will be refunded.");
    await pages.fill("Units to give back: Imported product", "2");
    await pages.see("€23.80 will be refunded.");
    await pages.fill("Units to give back: Imported product", "1");
    await pages.fill("Reason (optional)", "Chipped");
    await pages.see("€11.90 will be refunded.");
    await pages.expectAccessible();
    await pages.press("Refund €11.90");
    await pages.see("The refund is noted");
    expect(await find(order.id)).to.deep.include({
      refundedAmount: "11.90",
      items: [{ fulfilledQuantity: 1, refundedQuantity: 1, restockedQuantity: 1 }],
    });
    expect(await till.stockOf(till.mug)).to.equal(9);
    await pages.expectAccessible();
  });

  it("refunds an amount, and units that do not go back into stock", async () => {
    const payments = [{ method: "CARD", amount: "23.80" }];
    const { id } = await till.must(CREATE, till.sale({ payments, isFulfilled: true }));
    await openAs(Role.OWNER, `/orders/${id}`);
    await pages.press("Refund");
    await pages.submit();
    await pages.see("Is required without items");
    await pages.fill("Amount in EUR", "a lot");
    await pages.see("Must be an amount such as 12.50");
    await pages.fill("Amount in EUR", "30");
    await pages.see("Must not exceed the captured amount that is not refunded yet: 23.80 EUR");
    await pages.fill("Amount in EUR", "2.50");
    await pages.press("Refund €2.50");
    await pages.see("Partly refunded");
    expect(await find(id)).to.deep.include({ refundedAmount: "2.50" });

    await pages.press("Refund");
    await pages.fill("Units to give back: Imported product", "2");
    await pages.see("Must not cost more than the captured amount that is not refunded yet: 21.30 EUR");
    await pages.submit();
    await pages.press("Back into stock");
    await pages.fill("Amount in EUR", "21.30");
    await pages.press("Refund €21.30");
    await pages.see("not back into stock");
    expect(await find(id)).to.deep.include({ status: "REFUNDED" });
    expect(await till.stockOf(till.mug)).to.equal(8);
  });

  it("refunds nothing before it has shown the amount", async () => {
    const payments = [{ method: "CARD", amount: "23.80" }];
    const { id } = await till.must(CREATE, till.sale({ payments, isFulfilled: true }));
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.press("Refund");
    const { page } = pages;
    const held = Promise.withResolvers<() => Promise<void>>();
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (request.postData()?.includes("query AmountToRefund")) held.resolve(() => request.continue());
      else void request.continue();
    });
    await pages.fill("Units to give back: Imported product", "1");
    const release = await held.promise;
    await page.keyboard.press("Enter");
    await pages.submit();
    await release();
    await pages.see("€11.90 will be refunded.");
    expect(await find(id)).to.deep.include({ refundedAmount: "0.00" });
    await pages.press("Refund €11.90");
    await pages.see("Partly refunded");
  });

  it("settles a payment that was on its way", async () => {
    const payments = [{ method: "CARD", amount: "23.80", status: "PENDING" }];
    const { id } = await till.must(CREATE, till.sale({ payments }));
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.press("Settle");
    await pages.submit();
    await pages.see("The payment is settled");
    await pages.see("by staff-");
    expect(await find(id)).to.deep.include({ paymentStatus: "PAID" });
  });

  it("cancels, and notes why", async () => {
    const { id } = await till.must(CREATE, till.sale());
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.press("Cancel order");
    await pages.fill("Reason (optional)", "Changed their mind");
    await pages.submit();
    await pages.see("Cancelled");
    expect(await find(id)).to.deep.include({ status: "CANCELLED", cancelReason: "Changed their mind" });
    expect(await till.stockOf(till.mug)).to.equal(10);
    await pages.miss("Take a payment");
  });

  it("says that somebody else changed it, shows how it is, and saves when asked again", async () => {
    const { id } = await till.must(CREATE, till.sale());
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.press("Edit notes");
    await till.must(UPDATE, { id, input: { notes: "Ring twice" } });
    await pages.fill("Notes", "Leave it at the door");
    await pages.submit();
    await pages.see("Somebody else changed this in the meantime");
    await pages.see("Ring twice");
    await pages.submit();
    await pages.see("The notes are saved");
    expect(await find(id)).to.deep.include({ notes: "Leave it at the door" });
  });

  it("lists, searches and filters by the address", async () => {
    const { em } = pages.server;
    const ada = await buildCustomer(em, till.shop, { email: "ada@example.com" });
    const first = await till.must(CREATE, till.sale({ customerId: ada.id }));
    const second = await till.must(CREATE, till.sale());
    await till.must(FULFILL, { id: second.id, input: {} });
    await openAs(Role.VIEWER, "/orders");
    await pages.see(`#${first.orderNumber}`);
    await pages.see(`#${second.orderNumber}`);
    await pages.expectAccessible();
    await pages.choose("Hand-over", "Handed over");
    await pages.miss(`#${first.orderNumber}`);
    expect(pages.page.url()).to.include("fulfillment=FULFILLED");
    await pages.choose("Hand-over", "Any hand-over");
    const label = "Order, receipt or whole e-mail address";
    await pages.fill(label, "ada@example.com");
    await pages.miss(`#${second.orderNumber}`);
    await pages.see(`#${first.orderNumber}`);
    await pages.fill(label, `#${second.orderNumber}`);
    await pages.miss(`#${first.orderNumber}`);
    await pages.see(`#${second.orderNumber}`);
    await pages.page.reload();
    await pages.see("1 of 1");
    await pages.fill(label, "nobody@example.com");
    await pages.see("No order matches");
  });

  it("loads more, and keeps what there is", async () => {
    for (let count = 0; count < 51; count += 1) await buildOrder(pages.server.em, till.shop);
    await openAs(Role.CLERK, "/orders");
    await pages.see("50 of 51");
    await pages.press("Load more");
    await pages.see("51 of 51");
  });

  it("offers a viewer nothing to change, and says why", async () => {
    const { id } = await till.must(CREATE, till.sale());
    await openAs(Role.VIEWER, `/orders/${id}`);
    await pages.see("Your role, viewer, may not change orders");
    const buttons = await pages.page.$$eval("main button", (found) => found.map((button) => button.textContent));
    expect(buttons).to.deep.equal([]);
    await pages.expectAccessible();
  });

  it("is used by the keyboard alone, which is back where it was afterwards", async () => {
    const { id } = await till.must(CREATE, till.sale());
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.see("Left to pay");
    const { keyboard } = pages.page;
    const focused = () => pages.page.evaluate(() => document.activeElement?.textContent);
    for (let count = 0; count < 40 && (await focused()) !== "Take a payment"; count += 1) await keyboard.press("Tab");
    await keyboard.press("Enter");
    await pages.see("of order #");
    await keyboard.press("Escape");
    await pages.miss("of order #");
    expect(await focused()).to.equal("Take a payment");
    await keyboard.press("Enter");
    await pages.see("of order #");
    await keyboard.press("Enter");
    await pages.see("The payment is noted");
    expect(await find(id)).to.deep.include({ paymentStatus: "PAID" });
  });

  it("says when there is no such order", async () => {
    await openAs(Role.OWNER, "/orders/ord_00000000000000000000000000");
    await pages.see("The shop has no such order");
  });
});
