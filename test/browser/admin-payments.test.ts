import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { CANCEL, CREATE, PAY, SETTLE, useTill } from "../support/shops/till.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as orders } from "../../admin/orders/copy.ts";

const unitsToRefund = orders.unitsOfLine(orders.refund.units, "Imported product");
const FIND = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { order(id: $id) {
  status paymentStatus refundedAmount } } }`;

describe(`Admin's payments of an order in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const till = useTill(pages.server);

  const openAs = (role: Role, path: string) => pages.openAsRole(till.shop, role, path);
  const find = async (id: string) => (await till.ask(FIND, { id })).data.shop.order;

  /** Waits until the timeline shows these texts, newest first. A change shows in the order before it shows here. */
  const seeTimeline = (...texts: string[]) =>
    eventually(
      () =>
        pages.page.$$eval("main ol > li > div", (entries) => entries.map((entry) => entry.innerText.split(" by ")[0])),
      (shown) => isDeepStrictEqual(shown, texts),
    );
  const { timeline } = orders;

  it("settles a pending payment", async () => {
    const payments = [
      { method: "CARD", amount: "20.00", status: "PENDING" },
      { method: "CASH", amount: "3.80" },
    ];
    const { id, payments: recorded } = await till.must(CREATE, till.sale({ payments }));
    await till.must(SETTLE, { id: recorded[0].id, input: { status: "AUTHORIZED" } });
    await till.must(SETTLE, { id: recorded[0].id, input: { status: "AUTHORIZED", reference: "ch_2" } });
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.press(orders.paymentList.settle);
    await pages.submit();
    await pages.see(orders.settle.done);
    expect(await find(id)).to.deep.include({ paymentStatus: "PAID" });
    await seeTimeline(
      timeline.payment("Card", "€20.00", "captured"),
      timeline.referenceChanged("Card", "€20.00"),
      timeline.payment("Card", "€20.00", "authorized"),
      timeline.payment("Card", "€20.00", "pending"),
      timeline.payment("Cash", "€3.80", "captured"),
      timeline.placed("POS"),
    );
  });

  it("shows included tax, takes the rounded amount in cash, and shows the rounding", async () => {
    await till.updateShop({ pricesIncludeTax: true, cashRounding: "0.05" });
    const order = await till.must(CREATE, till.sale({ discount: { amount: "0.02" } }));
    await openAs(Role.CLERK, `/orders/${order.id}`);
    await pages.see(orders.totals.taxIncluded);
    await pages.press(orders.pay.action);
    await pages.see(orders.pay.text("€19.98", order.orderNumber));
    await pages.choose(orders.pay.method, orders.methods.CASH);
    await pages.submit();
    await pages.see(orders.totals.rounding);
    await pages.see("€0.02");
    expect(await find(order.id)).to.deep.include({ paymentStatus: "PAID" });
    await pages.press(orders.refund.action);
    await pages.fill(unitsToRefund, "1");
    await pages.press(orders.refund.submitAmount("€10.00"));
    await pages.see(orders.paymentStatuses.PARTIALLY_REFUNDED);
    await pages.expectAccessible();
  });

  it("records a late capture, and refunds it", async () => {
    const payments = [{ method: "CARD", amount: "23.80", status: "AUTHORIZED" }];
    const { id } = await till.must(CREATE, till.sale({ payments }));
    await till.must(CANCEL, { id, input: {} });
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.press(orders.paymentList.captureLate);
    await pages.submit();
    await pages.see(orders.paymentList.late);
    const card = (status: string) => timeline.payment("Card", "€23.80", status);
    const history = [card("voided"), card("authorized"), timeline.placed("POS")];
    await seeTimeline(timeline.late(card("captured")), timeline.cancelledAndRestocked, ...history);
    await pages.press(orders.refund.action);
    await pages.fill(orders.amount("EUR"), "23.80");
    await pages.press(orders.refund.submitAmount("€23.80"));
    await pages.see(orders.paymentStatuses.REFUNDED);
    expect(await find(id)).to.deep.include({ status: "CANCELLED", refundedAmount: "23.80" });
    await pages.expectAccessible();
  });

  it("shows what is overpaid by a late capture of another amount, and the tax of refunds", async () => {
    const payments = [{ method: "CARD", amount: "23.80", status: "PENDING" }];
    const { id, payments: recorded } = await till.must(CREATE, till.sale({ payments }));
    await till.must(SETTLE, { id: recorded[0].id, input: { status: "FAILED" } });
    await till.must(PAY, { id, input: { method: "CASH", amount: "23.80" } });
    await openAs(Role.CLERK, `/orders/${id}`);
    await pages.press(orders.paymentList.captureLate);
    await pages.fill(orders.settle.amount, "20");
    await pages.submit();
    await pages.see(orders.totals.overpaid);
    await pages.see("€20.00");
    await seeTimeline(
      timeline.late(timeline.payment("Card", "€20.00", "captured")),
      timeline.payment("Cash", "€23.80", "captured"),
      timeline.payment("Card", "€23.80", "failed"),
      timeline.payment("Card", "€23.80", "pending"),
      timeline.placed("POS"),
    );
    await pages.press(orders.refund.action);
    await pages.fill(unitsToRefund, "1");
    await pages.press(orders.refund.submitAmount("€11.90"));
    await pages.see(orders.refundList.tax("€1.90"));
    await pages.expectAccessible();
  });

  it("records a payment of more than the balance due", async () => {
    const order = await till.must(CREATE, till.sale());
    await openAs(Role.CLERK, `/orders/${order.id}`);
    await pages.press(orders.pay.action);
    await pages.fill(orders.amount("EUR"), "28.80");
    await pages.press(orders.pay.allowOverpayment);
    await pages.submit();
    await pages.see(orders.totals.overpaid);
    await pages.see("€5.00");
    expect(await find(order.id)).to.deep.include({ paymentStatus: "PAID" });
  });
});
