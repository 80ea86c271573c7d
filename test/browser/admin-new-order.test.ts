import { expect } from "chai";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildCustomer, buildStaff, importProduct } from "../support/factories.ts";
import { useTill } from "../support/shops/till.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as orders } from "../../admin/orders/copy.ts";
import { copy as shell } from "../../admin/shell/copy.ts";

const { create } = orders;
const ORDERS = `query ($shopId: ID!) { shop(id: $shopId) { orders { items {
  id orderNumber totalAmount discountAmount paymentStatus customer { id } items { sku quantity }
  payments { method amount tendered change } } } } }`;

describe(`Creating an order in Admin${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  const till = useTill(pages.server);
  const openAs = async (role: Role, path: string) =>
    pages.openAs(await buildStaff(pages.server.em, till.shop, role), `/${till.shop.id}${path}`);
  const placed = async () => (await till.ask(ORDERS, {})).data.shop.orders.items;
  const scan = async (code: string) => {
    await pages.fill(create.variant, code);
    await pages.page.keyboard.press("Enter");
  };

  it("sells what was scanned and searched, at the quoted price, once", async () => {
    const customer = await buildCustomer(pages.server.em, till.shop, { firstName: "Ada", lastName: "Byron" });
    await importProduct(pages.server.em, till.shop, {
      title: "Blue jug",
      variants: [{ price: "5.00", sku: "JUG", inventoryQuantity: 5 }],
    });
    await openAs(Role.CLERK, "/orders");
    await pages.press(create.action);
    await pages.see(create.noLines);
    await scan("mug");
    await scan("M-UG");
    await pages.see("€20.00");
    await scan("nothing");
    await pages.see(create.noMatchFor("nothing"));
    await pages.fill(create.variant, "jug");
    await pages.page.locator("main ul button::-p-text(Blue jug)").click();
    await pages.see("€25.00");
    await pages.fill(create.quantityOf("Blue jug"), "2");
    await pages.fill(create.discountOf("Blue jug"), "50%");
    await pages.fill(create.discount, "1,50");
    await pages.see("€23.50");
    await pages.fill(create.buyer, "ada");
    await pages.page.locator("main ul button::-p-text(Ada Byron)").click();
    await pages.see(customer.email);
    await pages.choose(orders.pay.method, orders.methods.CASH);
    await pages.fill(create.tendered("EUR"), "30");
    await pages.see("€6.50");
    await pages.expectAccessible();
    await pages.page.$$eval(
      "main button",
      (buttons, name) => {
        const submit = buttons.find((button) => button.textContent === name)!;
        submit.click();
        submit.click();
      },
      create.submit,
    );
    await pages.see(orders.timeline.title);
    const [order, ...others] = await placed();
    expect(others).to.deep.equal([]);
    expect(pages.page.url()).to.match(new RegExp(`/orders/${order.id}$`));
    expect(order).to.deep.include({
      totalAmount: "23.50",
      discountAmount: "6.50",
      paymentStatus: "PAID",
      customer: { id: customer.id },
      payments: [{ method: "CASH", amount: "23.50", tendered: "30.00", change: "6.50" }],
    });
    expect(order.items).to.have.deep.members([
      { sku: "MUG", quantity: 2 },
      { sku: "JUG", quantity: 2 },
    ]);
  });

  it("shows problems at their lines, and refuses a price that changed, with the keyboard alone", async () => {
    await openAs(Role.OWNER, "/orders/new");
    await pages.see(create.noLines);
    const type = (text: string) => pages.page.keyboard.type(text);
    const tab = () => pages.page.keyboard.press("Tab");
    await type("PLATE\n");
    await pages.see("€3.33");
    await tab();
    await type("99");
    await pages.see(create.problems.insufficient_stock!);
    await pages.expectAccessible();
    await type("x");
    await pages.see(create.invalidQuantity);
    await pages.page.keyboard.down("Control");
    await pages.page.keyboard.press("a");
    await pages.page.keyboard.up("Control");
    await type("3");
    await pages.see("€9.99");
    await till.ask(
      `mutation ($shopId: ID!, $id: ID!) { updateVariant(shopId: $shopId, id: $id, input: { price: "4" }) { id } }`,
      { id: till.plate.id },
    );
    await pages.page.locator(`main button::-p-text(${create.submit})`).wait();
    await pages.page.$$eval(
      "main button",
      (buttons, name) => buttons.find((button) => button.textContent === name)!.focus(),
      create.submit,
    );
    await pages.page.keyboard.press("Enter");
    await pages.see("12.00");
    expect(await placed()).to.deep.equal([]);
  });

  it("is for those who may change orders", async () => {
    await openAs(Role.VIEWER, "/orders");
    await pages.see(orders.empty.title);
    await pages.miss(create.action);
    await pages.open(`/${till.shop.id}/orders/new`);
    await pages.see(shell.noAccess.title);
  });
});
