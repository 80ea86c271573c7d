import { expect } from "chai";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildCustomer, importProduct } from "../support/factories.ts";
import { CREATE, useTill } from "../support/shops/till.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as orders } from "../../admin/orders/copy.ts";
import { copy as shell } from "../../admin/shell/copy.ts";

const { create } = orders;
const ORDERS = `query ($shopId: ID!) { shop(id: $shopId) { orders { items {
  id orderNumber totalAmount discountAmount paymentStatus fulfillmentStatus customer { id } items { sku quantity }
  payments { method amount tendered change } } } } }`;

describe(`Creating an order in Admin${withoutChromium}`, () => {
  const pages = useAdminPages();
  const till = useTill(pages.server);
  const openAs = (role: Role, path: string) => pages.openAsRole(till.shop, role, path);
  const placed = async () => (await till.ask(ORDERS, {})).data.shop.orders.items;
  const scan = async (code: string) => {
    await pages.fill(create.variant, code);
    await pages.page.keyboard.press("Enter");
  };

  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 15; presses += 1) {
      await pages.page.keyboard.press("Tab");
      const focused = await pages.page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement;
        return element.getAttribute("aria-label") ?? (element.labels?.[0] ?? element).textContent;
      });
      if (focused.includes(name)) return;
    }
    throw new Error(`Tab does not reach ${name}`);
  };
  /** Waits until an arrow key has marked a match. */
  const seeMarked = (sku: string) => pages.page.waitForSelector(`[role=option][aria-selected=true]::-p-text(${sku})`);

  /** Searches on a new order, and marks the last of the two matches. */
  const markLast = async (role: Role) => {
    await openAs(role, "/orders/new");
    await pages.see(create.noLines);
    const { keyboard } = pages.page;
    await keyboard.type("product");
    await pages.see(create.found(2, "product"));
    await keyboard.press("ArrowUp");
    await seeMarked("PLATE");
    return keyboard;
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
    await pages.see(create.found(0, "nothing"));
    await pages.fill(create.variant, "jug");
    await pages.page.locator("main [role=option]::-p-text(Blue jug)").click();
    await pages.see("€25.00");
    await pages.fill(create.quantityOf("Blue jug"), "2");
    await pages.fill(create.discount, "10%");
    await pages.see("€27.00");
    await pages.fill(create.buyer, "ada");
    await pages.page.locator("main [role=option]::-p-text(Ada Byron)").click();
    await pages.see(customer.email);
    const focused = await pages.page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    expect(focused).to.equal(create.remove("Ada Byron"));
    await pages.choose(orders.pay.method, orders.methods.CARD);
    await pages.see(create.toPay(orders.methods.CARD));
    await pages.miss(create.tendered);
    await pages.press(create.handedOver);
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
      totalAmount: "27.00",
      discountAmount: "3.00",
      paymentStatus: "PAID",
      fulfillmentStatus: "UNFULFILLED",
      customer: { id: customer.id },
      payments: [{ method: "CARD", amount: "27.00", tendered: null, change: null }],
    });
    expect(order.items).to.have.deep.members([
      { sku: "MUG", quantity: 2 },
      { sku: "JUG", quantity: 2 },
    ]);
  });

  it("sells over the counter for cash, with the change, with the keyboard alone", async () => {
    const keyboard = await markLast(Role.CLERK);
    await keyboard.press("Home");
    await seeMarked("MUG");
    await keyboard.press("End");
    await seeMarked("PLATE");
    await keyboard.press("ArrowDown");
    await seeMarked("MUG");
    await pages.expectAccessible();
    await keyboard.press("Enter");
    await pages.see("€10.00");
    await keyboard.type("plate");
    await pages.see(create.found(1, "plate"));
    await keyboard.press("Escape");
    await pages.miss(create.found(1, "plate"));
    await tabTo(create.tendered);
    await keyboard.type("8");
    await pages.see(create.missing("€2.00"));
    await pages.page.waitForSelector(`button[aria-disabled]::-p-text(${create.submit})`);
    await keyboard.press("Backspace");
    await keyboard.type("20");
    await pages.see(create.change("€10.00"));
    await pages.expectAccessible();
    await tabTo(create.submit);
    await keyboard.press("Enter");
    await pages.see(orders.paymentList.cash("€20.00", "€10.00"));
    expect(await placed()).to.have.length(1);
    expect((await placed())[0]).to.deep.include({
      paymentStatus: "PAID",
      fulfillmentStatus: "FULFILLED",
      items: [{ sku: "MUG", quantity: 1 }],
      payments: [{ method: "CASH", amount: "10.00", tendered: "20.00", change: "10.00" }],
    });
  });

  it("names at its line what was sold out meanwhile, and gives away what costs nothing", async () => {
    await openAs(Role.CLERK, "/orders/new");
    await scan("mug");
    await pages.see(create.toPay(orders.methods.CASH));
    await till.must(CREATE, till.sale({ lines: [{ variantId: till.mug.id, quantity: 10 }] }));
    await pages.press(create.submit);
    await pages.page.waitForSelector("td ::-p-text(Insufficient stock of Imported product: 0 left)");
    await pages.expectAccessible();
    await pages.press(create.remove("Imported product"));
    await scan("plate");
    await pages.fill(create.discount, "100%");
    await pages.miss(create.tendered);
    await pages.press(create.submit);
    await pages.see(orders.paymentList.none);
    expect((await placed())[0]).to.deep.include({ totalAmount: "0.00", payments: [] });
  });

  it("shows problems at their lines, and refuses a price that changed, with the keyboard alone", async () => {
    const keyboard = await markLast(Role.OWNER);
    await keyboard.press("Enter");
    await pages.see("€3.33");
    const quantity = create.quantityOf("Imported product");
    await tabTo(quantity);
    await keyboard.type("99");
    await pages.see("Insufficient stock of Imported product: 10 left");
    await pages.expectAccessible();
    await keyboard.type("x");
    await pages.see(create.invalidQuantity);
    await keyboard.down("Shift");
    await keyboard.press("Home");
    await keyboard.up("Shift");
    await keyboard.type("3");
    await pages.see("€9.99");
    await tabTo(orders.pay.method);
    const focusOn = (option: string) => pages.page.waitForSelector(`[role=option]:focus ::-p-text(${option})`);
    await keyboard.press("ArrowDown");
    await focusOn(orders.methods.CASH);
    await keyboard.press("ArrowUp");
    await focusOn(orders.methods.CARD);
    await keyboard.press("Enter");
    await pages.see(create.toPay(orders.methods.CARD));
    await till.ask(
      `mutation ($shopId: ID!, $id: ID!) { updateVariant(shopId: $shopId, id: $id, input: { price: "4" }) { id } }`,
      { id: till.plate.id },
    );
    await tabTo(create.submit);
    await keyboard.press("Enter");
    await pages.see("12.00");
    expect(await placed()).to.deep.equal([]);
  });

  it("warns of a second order after an answer is lost", async () => {
    await openAs(Role.OWNER, "/orders/new");
    await scan("mug");
    await pages.see("€10.00");
    const session = await pages.page.createCDPSession();
    session.on("Fetch.requestPaused", ({ requestId, request }) => {
      const isLost = request.postData?.includes("mutation CreateOrder");
      void (isLost
        ? session.send("Fetch.failRequest", { requestId, errorReason: "ConnectionReset" })
        : session.send("Fetch.continueResponse", { requestId }));
    });
    await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/graphql", requestStage: "Response" }] });
    const warning = create.uncertain.split("{")[0]!;
    for (let tries = 0; tries < 2; tries += 1) {
      const lost = new Promise((resolve) => pages.page.once("requestfailed", resolve));
      await pages.press(create.submit);
      await lost;
      await pages.see(warning);
    }
    expect(await placed()).to.have.length(1);
    await session.send("Fetch.disable");
    await pages.fill(create.quantityOf("Imported product"), "2");
    await pages.see("€20.00");
    await pages.see(warning);
    await pages.expectAccessible();
    await pages.press(create.submit);
    await pages.see(orders.timeline.title);
    expect((await placed()).map(({ totalAmount }: { totalAmount: string }) => totalAmount)).to.deep.equal([
      "20.00",
      "10.00",
    ]);
  });

  it("is for those who may change orders", async () => {
    await openAs(Role.VIEWER, "/orders");
    await pages.see(orders.empty.title);
    await pages.miss(create.action);
    await pages.open(`/${till.shop.id}/orders/new`);
    await pages.see(shell.noAccess.title);
  });
});
