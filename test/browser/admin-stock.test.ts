import { expect } from "chai";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildProduct } from "../support/factories.ts";
import { CREATE, useTill } from "../support/shops/till.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as orders } from "../../admin/orders/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";
import { copy as stock } from "../../admin/stock/copy.ts";
import { copy as ui } from "../../admin/ui/copy.ts";

const { dialog } = stock;
const SET = `mutation ($shopId: ID!, $changes: [SetStockInput!]!) {
  order: setStock(shopId: $shopId, changes: $changes) { variantId } }`;
const HISTORY = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { stockChanges(variantId: $id) {
  items { delta quantityAfter reason note } } } }`;

describe(`Admin's stock in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const till = useTill(pages.server);

  const openAs = (role: Role, path: string) => pages.openAsRole(till.shop, role, path);
  const pressFirst = async () => {
    await pages.see("MUG");
    await (await pages.page.$$("main tbody button"))[0]!.click();
  };

  it("adds units, removes units, and sets a count", async () => {
    await openAs(Role.MANAGER, "/stock");
    await pressFirst();
    await pages.fill(dialog.units, "5");
    await pages.fill(dialog.note, "Delivery 17");
    await pages.expectAccessible();
    await pages.submit();
    await pages.seeCell("15");
    expect(await till.stockOf(till.mug)).to.equal(15);

    await pressFirst();
    await pages.choose(dialog.change, dialog.changes.TAKE);
    await pages.choose(dialog.reason, stock.reasons.LOST);
    await pages.fill(dialog.units, "16");
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] [role="alert"]');
    expect(await till.stockOf(till.mug)).to.equal(15);
    await pages.press(ui.cancel);

    await pressFirst();
    await pages.choose(dialog.change, dialog.changes.SET);
    await pages.fill(dialog.newStock, "12");
    await pages.submit();
    await pages.seeCell("12");
    const { items } = (await till.ask(HISTORY, { id: till.mug.id })).data.shop.stockChanges;
    expect(items).to.deep.equal([
      { delta: -3, quantityAfter: 12, reason: "COUNTED", note: null },
      { delta: 5, quantityAfter: 15, reason: "RECEIVED", note: "Delivery 17" },
    ]);
  });

  it("refuses a count when units were sold meanwhile", async () => {
    await openAs(Role.MANAGER, "/stock");
    await pressFirst();
    await pages.choose(dialog.change, dialog.changes.SET);
    await till.ask(SET, { changes: [{ variantId: till.mug.id, quantity: 7 }] });
    await pages.fill(dialog.newStock, "10");
    await pages.submit();
    await pages.see(records.conflict);
    await pages.see(dialog.text("7"));
    expect(await till.stockOf(till.mug)).to.equal(7);
    await pages.submit();
    await pages.see(dialog.done);
    expect(await till.stockOf(till.mug)).to.equal(10);
  });

  it("shows the stock history with links to orders", async () => {
    const order = await till.must(CREATE, till.sale());
    await openAs(Role.VIEWER, `/stock?variant=${till.mug.id}`);
    await pages.see(stock.reasons.SOLD);
    await pages.seeCell("8");
    await pages.expectAccessible();
    await pages.press(stock.changes.order(order.orderNumber));
    await pages.see(orders.orderTitle(order.orderNumber));
  });

  it("shows all stock changes with product, variant and actor", async () => {
    const product = await buildProduct(pages.server.em, till.shop, { title: "Lantern" });
    const variantId = product.variants[0]!.id;
    await till.ask(SET, { changes: [{ variantId, quantity: 5 }] });
    await till.ask(SET, { changes: [{ variantId: till.mug.id, quantity: 7 }] });
    await openAs(Role.VIEWER, "/stock");
    await pages.press(stock.allChanges);
    await pages.see(records.shown("2"));
    const rows = await pages.page.$$eval('[role="dialog"] tbody tr', (found) => found.map((row) => row.textContent));
    expect(rows).to.have.length(2);
    expect(rows[0])
      .to.include("Imported product")
      .and.include(stock.reasons.COUNTED)
      .and.match(/by staff-.*@example\.com/);
    expect(rows[1]).to.include("Lantern").and.include("+5");
    await pages.expectAccessible();
  });

  it("is read-only for viewers, with an explanation", async () => {
    await openAs(Role.VIEWER, "/stock");
    await pages.see(records.readOnly("viewer", stock.readOnly));
    await pages.see("MUG");
    const buttons = await pages.page.$$eval('main button:not([role="combobox"])', (found) =>
      found.map((button) => button.textContent),
    );
    expect(buttons).to.deep.equal([]);
    await pages.expectAccessible();
  });
});
