import { expect } from "chai";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildCustomer, buildOrder } from "../support/factories.ts";
import { CREATE, FULFILL, UPDATE, useTill } from "../support/shops/till.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as orders } from "../../admin/orders/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";
import { copy as ui } from "../../admin/ui/copy.ts";

const unitsToRefund = orders.unitsOfLine(orders.refund.units, "Imported product");
const FIND = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { order(id: $id) {
  status paymentStatus fulfillmentStatus refundedAmount cancelReason notes receiptNumber
  items { fulfilledQuantity refundedQuantity restockedQuantity } payments { method status amount reference } } } }`;

describe(`Admin's orders in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const till = useTill(pages.server);

  const openAs = (role: Role, path: string) => pages.openAsRole(till.shop, role, path);
  const find = async (id: string) => (await till.ask(FIND, { id })).data.shop.order;

  it("records payments, fulfills units, and refunds them with restocking", async () => {
    const order = await till.must(CREATE, till.sale());
    await openAs(Role.CLERK, `/orders/${order.id}`);
    await pages.see(orders.totals.due);
    await pages.press(orders.pay.action);
    await pages.fill(orders.amount("EUR"), "3,80");
    await pages.choose(orders.pay.method, orders.methods.CASH);
    await pages.submit();
    await pages.see(orders.paymentStatuses.PARTIALLY_PAID);
    await pages.press(orders.pay.action);
    await pages.see(orders.pay.text("€20.00", order.orderNumber));
    await pages.fill(orders.pay.reference, "terminal 7");
    await pages.submit();
    await pages.see("R-000001");
    expect((await find(order.id)).payments).to.deep.equal([
      { method: "CASH", status: "CAPTURED", amount: "3.80", reference: null },
      { method: "CARD", status: "CAPTURED", amount: "20.00", reference: "terminal 7" },
    ]);

    await pages.press(orders.fulfill.action);
    await pages.fill(orders.unitsOfLine(orders.fulfill.units, "Imported product"), "1");
    await pages.submit();
    await pages.see(orders.fulfillmentStatuses.PARTIALLY_FULFILLED);
    expect(await find(order.id)).to.deep.include({ fulfillmentStatus: "PARTIALLY_FULFILLED" });

    await pages.press(orders.refund.action);
    await pages.fill(unitsToRefund, "1");
    await pages.see(orders.refund.preview("€11.90"));
    await pages.fill(unitsToRefund, "2");
    await pages.see(orders.refund.preview("€23.80"));
    await pages.fill(unitsToRefund, "1");
    await pages.fill(orders.reason, "Chipped");
    await pages.see(orders.refund.preview("€11.90"));
    await pages.expectAccessible();
    await pages.press(orders.refund.submitAmount("€11.90"));
    await pages.see(orders.refund.done);
    expect(await find(order.id)).to.deep.include({
      refundedAmount: "11.90",
      items: [{ fulfilledQuantity: 1, refundedQuantity: 1, restockedQuantity: 1 }],
    });
    expect(await till.stockOf(till.mug)).to.equal(9);
    await pages.see(orders.timeline.refunded("€11.90"));
    await pages.see(orders.timeline.fulfilled(1));
    await pages.see(orders.timeline.placed(orders.channels.POS));
    await pages.expectAccessible();
  });

  it("begins the timeline of a sale at a till with who sold it, and what was paid", async () => {
    const payments = [{ method: "CASH", amount: "23.80" }];
    const { id } = await till.must(CREATE, till.sale({ payments, isFulfilled: true }));
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.see(orders.timeline.payment("Cash", "€23.80", "captured"));
    const placed = await pages.page.$eval("main ol li:last-child", (entry) => entry.textContent);
    expect(placed).to.include(`${orders.timeline.placed(orders.channels.POS)} by staff-`);
  });

  it("leads back to the filters of the list", async () => {
    const { orderNumber } = await till.must(CREATE, till.sale());
    await openAs(Role.CLERK, "/orders?payment=UNPAID");
    await pages.press(`#${orderNumber}`);
    await pages.see(orders.timeline.title);
    await pages.page.locator(`main a::-p-text(${orders.title})`).click();
    await pages.see("1 of 1");
    expect(pages.page.url()).to.match(/\/orders\?payment=UNPAID$/);
  });

  it("refunds an amount, and units without restocking", async () => {
    const payments = [{ method: "CARD", amount: "23.80" }];
    const { id } = await till.must(CREATE, till.sale({ payments, isFulfilled: true }));
    await openAs(Role.OWNER, `/orders/${id}`);
    await pages.press(orders.refund.action);
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] [aria-invalid="true"]');
    await pages.fill(orders.amount("EUR"), "a lot");
    await pages.see(ui.invalidAmount("12.50"));
    await pages.fill(orders.amount("EUR"), "30");
    await pages.see("23.80 EUR");
    await pages.fill(orders.amount("EUR"), "2.50");
    await pages.press(orders.refund.submitAmount("€2.50"));
    await pages.see(orders.paymentStatuses.PARTIALLY_REFUNDED);
    expect(await find(id)).to.deep.include({ refundedAmount: "2.50" });

    await pages.press(orders.refund.action);
    await pages.fill(unitsToRefund, "2");
    await pages.see("21.30 EUR");
    await pages.submit();
    await pages.press(orders.restock);
    await pages.fill(orders.amount("EUR"), "21.30");
    await pages.press(orders.refund.submitAmount("€21.30"));
    await pages.see(orders.refundList.notRestocked);
    expect(await find(id)).to.deep.include({ status: "REFUNDED" });
    expect(await till.stockOf(till.mug)).to.equal(8);
  });

  it("shows the amount before a refund", async () => {
    const payments = [{ method: "CARD", amount: "23.80" }];
    const { id } = await till.must(CREATE, till.sale({ payments, isFulfilled: true }));
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.press(orders.refund.action);
    const { page } = pages;
    const held = Promise.withResolvers<() => Promise<void>>();
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (request.postData()?.includes("query AmountToRefund")) held.resolve(() => request.continue());
      else void request.continue();
    });
    await pages.fill(unitsToRefund, "1");
    const release = await held.promise;
    await page.keyboard.press("Enter");
    await pages.submit();
    await release();
    await pages.see(orders.refund.preview("€11.90"));
    expect(await find(id)).to.deep.include({ refundedAmount: "0.00" });
    await pages.press(orders.refund.submitAmount("€11.90"));
    await pages.see(orders.paymentStatuses.PARTIALLY_REFUNDED);
  });

  it("cancels an order with a reason", async () => {
    const { id } = await till.must(CREATE, till.sale());
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.press(orders.cancel.action);
    await pages.fill(orders.reason, "Changed their mind");
    await pages.submit();
    await pages.see(orders.statuses.CANCELLED);
    expect(await find(id)).to.deep.include({ status: "CANCELLED", cancelReason: "Changed their mind" });
    expect(await till.stockOf(till.mug)).to.equal(10);
    await pages.miss(orders.pay.action);
  });

  it("reports a version conflict, shows the current values, and saves again", async () => {
    const { id } = await till.must(CREATE, till.sale());
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.press(orders.editNotes);
    await till.must(UPDATE, { id, input: { notes: "Ring twice" } });
    await pages.fill(orders.notes, "Leave it at the door");
    await pages.submit();
    await pages.see(records.conflict);
    await pages.see("Ring twice");
    await pages.submit();
    await pages.see(orders.editNotesDialog.done);
    expect(await find(id)).to.deep.include({ notes: "Leave it at the door" });
  });

  it("lists, searches and filters by the URL", async () => {
    const { em } = pages.server;
    const ada = await buildCustomer(em, till.shop, { email: "ada@example.com" });
    const first = await till.must(CREATE, till.sale({ customerId: ada.id }));
    const second = await till.must(CREATE, till.sale());
    await till.must(FULFILL, { id: second.id, input: {} });
    await openAs(Role.VIEWER, "/orders");
    await pages.see(`#${first.orderNumber}`);
    await pages.see(`#${second.orderNumber}`);
    await pages.expectAccessible();
    await pages.choose(orders.filters.fulfillment, orders.fulfillmentStatuses.FULFILLED);
    await pages.miss(`#${first.orderNumber}`);
    expect(pages.page.url()).to.include("fulfillment=FULFILLED");
    await pages.choose(orders.filters.fulfillment, orders.filters.anyFulfillment);
    await pages.fill(orders.search, "ada@example.com");
    await pages.miss(`#${second.orderNumber}`);
    await pages.see(`#${first.orderNumber}`);
    await pages.fill(orders.search, `#${second.orderNumber}`);
    await pages.miss(`#${first.orderNumber}`);
    await pages.see(`#${second.orderNumber}`);
    await pages.page.reload();
    await pages.see("1 of 1");
    await pages.fill(orders.search, "nobody@example.com");
    await pages.see(orders.noMatch.title);
  });

  it("finds orders by the customer's name, and sorts by the headings", async () => {
    const { em } = pages.server;
    const customer = await buildCustomer(em, till.shop, { firstName: "Grace", lastName: "Hopper" });
    await buildOrder(em, till.shop, { orderNumber: "7001", totalAmount: "5.00", customer });
    await buildOrder(em, till.shop, { orderNumber: "7002", totalAmount: "70.00" });
    await buildOrder(em, till.shop, { orderNumber: "7003", totalAmount: "40.00" });
    await openAs(Role.CLERK, "/orders");
    await pages.see("#7003");
    const numbers = () =>
      pages.page.$$eval("tbody tr td:first-child a", (links) => links.map((link) => link.textContent));
    await pages.press(orders.columns.total);
    await pages.page.waitForSelector('th[aria-sort="descending"]::-p-text(Total)');
    await pages.page.waitForFunction(() => document.querySelector("tbody a")?.textContent === "#7002");
    expect(await numbers()).to.deep.equal(["#7002", "#7003", "#7001"]);
    await pages.press(orders.columns.total);
    await pages.page.waitForFunction(() => document.querySelector("tbody a")?.textContent === "#7001");
    expect(await numbers()).to.deep.equal(["#7001", "#7003", "#7002"]);
    expect(pages.page.url()).to.match(/\?sort=TOTAL_AMOUNT&order=ASC$/);
    await pages.fill(orders.search, "hopper");
    await pages.miss("#7003");
    await pages.see("Grace Hopper");
    await pages.expectAccessible();
  });

  it("loads more orders below the existing ones", async () => {
    for (let count = 0; count < 51; count += 1) await buildOrder(pages.server.em, till.shop);
    await openAs(Role.CLERK, "/orders");
    await pages.see("50 of 51");
    await pages.press(records.loadMore);
    await pages.see("51 of 51");
  });

  it("is read-only for viewers, with an explanation", async () => {
    const { id } = await till.must(CREATE, till.sale());
    await openAs(Role.VIEWER, `/orders/${id}`);
    await pages.see(records.readOnly("viewer", orders.readOnly));
    const buttons = await pages.page.$$eval("main button", (found) => found.map((button) => button.textContent));
    // Only the one that copies the ID, which is an icon.
    expect(buttons).to.deep.equal([""]);
    await pages.expectAccessible();
  });

  it("works with the keyboard alone, and returns the focus", async () => {
    const { id, orderNumber } = await till.must(CREATE, till.sale());
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.see(orders.totals.due);
    const { keyboard } = pages.page;
    const focused = () => pages.page.evaluate(() => document.activeElement?.textContent);
    for (let count = 0; count < 40 && (await focused()) !== orders.pay.action; count += 1) await keyboard.press("Tab");
    await keyboard.press("Enter");
    await pages.see(orders.pay.text("€23.80", orderNumber));
    await keyboard.press("Escape");
    await pages.miss(orders.pay.text("€23.80", orderNumber));
    expect(await focused()).to.equal(orders.pay.action);
    await keyboard.press("Enter");
    await pages.see(orders.pay.text("€23.80", orderNumber));
    await keyboard.press("Enter");
    await pages.see(orders.pay.done);
    expect(await find(id)).to.deep.include({ paymentStatus: "PAID" });
  });

  it("reports a missing order", async () => {
    await openAs(Role.OWNER, "/orders/ord_00000000000000000000000000");
    await pages.see(orders.notFound);
  });
});
