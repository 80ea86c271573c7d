import { expect } from "chai";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { call } from "../support/client.ts";
import { buildCustomer, buildKey, grantStoreCredit } from "../support/factories.ts";
import { CREATE, useTill } from "../support/shops/till.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as customers } from "../../admin/customers/copy.ts";
import { copy as orders } from "../../admin/orders/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";

const CREDIT = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { customer(id: $id) {
  storeCreditBalance storeCreditEntries { amount reason } } } }`;

describe(`Admin's customers in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const till = useTill(pages.server);

  const openAs = (role: Role, path: string) => pages.openAsRole(till.shop, role, path);
  const get = async (id: string) => {
    const key = await buildKey(pages.server.em, till.shop);
    return (await call(pages.server, "GET", `/${till.shop.id}/customers/${id}`, { key })).json.customer;
  };

  it("creates and edits a customer", async () => {
    await buildCustomer(pages.server.em, till.shop, { email: "ada@example.com" });
    await openAs(Role.CLERK, "/customers");
    await pages.press(customers.create);
    await pages.fill(customers.fields.email, "ada@example.com");
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] [name="email"][aria-invalid="true"]');
    await pages.fill(customers.fields.email, "grace@example.com");
    await pages.fill(customers.fields.firstName, "Grace");
    await pages.expectAccessible();
    await pages.submit();
    await pages.see(customers.credit.none);
    const id = new URL(pages.page.url()).pathname.split("/").at(-1)!;
    expect(await get(id)).to.include({ email: "grace@example.com", firstName: "Grace" });
    await pages.press(customers.edit);
    await pages.fill(customers.fields.phone, "+49 30 901820");
    await pages.fill(customers.fields.note, "Prefers e-mail.");
    await pages.submit();
    await pages.see(customers.editDone);
    expect(await get(id)).to.include({ firstName: "Grace", phone: "+49 30 901820" });
    await pages.see("Prefers e-mail.");
  });

  it("exports and erases a customer, who then cannot be edited", async () => {
    const customer = await buildCustomer(pages.server.em, till.shop, { firstName: "Grace" });
    await grantStoreCredit(pages.server.em, customer, "5.00");
    await openAs(Role.OWNER, `/customers/${customer.id}`);
    await pages.press(customers.export.open);
    await pages.see(customers.export.done);
    await pages.press(customers.erase.open);
    await pages.see(customers.erase.credit("€5.00"));
    await pages.expectAccessible();
    await pages.press(customers.erase.confirm);
    await pages.submit();
    await pages.see(customers.erase.done);
    await pages.see(customers.credit.title("€0.00"));
    expect(await get(customer.id)).to.include({ firstName: "Erased", phone: null });
    expect(await pages.page.$$eval("main button", (all) => all.map((button) => button.textContent))).not.to.include(
      customers.edit,
    );
  });

  it("shows orders, and grants and deducts store credit", async () => {
    const { id } = await buildCustomer(pages.server.em, till.shop, { email: "ada@example.com" });
    const order = await till.must(CREATE, till.sale({ customerId: id }));
    await openAs(Role.CLERK, `/customers/${id}`);
    await pages.see(`#${order.orderNumber}`);
    await pages.press(customers.credit.grant);
    await pages.fill(customers.credit.amountIn("EUR"), "25");
    await pages.fill(customers.credit.reason, "Late delivery");
    await pages.submit();
    await pages.see(customers.credit.title("€25.00"));
    await pages.press(customers.credit.spend);
    await pages.fill(customers.credit.amountIn("EUR"), "30");
    await pages.fill(customers.credit.reason, "Paid out");
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] :is([role="alert"], [aria-invalid="true"])');
    await pages.fill(customers.credit.amountIn("EUR"), "5,50");
    await pages.submit();
    await pages.see(customers.credit.title("€19.50"));
    const { customer } = (await till.ask(CREDIT, { id })).data.shop;
    expect(customer).to.deep.equal({
      storeCreditBalance: "19.50",
      storeCreditEntries: [
        { amount: "-5.50", reason: "Paid out" },
        { amount: "25.00", reason: "Late delivery" },
      ],
    });
    await pages.expectAccessible();
    await pages.press(`#${order.orderNumber}`);
    await pages.see(orders.totals.due);
  });

  it("searches by the URL, and is read-only for viewers", async () => {
    const { em } = pages.server;
    const ada = await buildCustomer(em, till.shop, { email: "ada@example.com" });
    await buildCustomer(em, till.shop, { email: "grace@example.com", firstName: "Grace", lastName: "Hopper" });
    await grantStoreCredit(em, ada, "3.00");
    await openAs(Role.VIEWER, "/customers");
    await pages.see(records.readOnly("viewer", customers.readOnly));
    await pages.see("€3.00");
    await pages.expectAccessible();
    await pages.fill(customers.search, "hopper");
    await pages.miss("ada@example.com");
    expect(pages.page.url()).to.include("search=hopper");
    await pages.press("Grace Hopper");
    await pages.see(customers.details);
    const buttons = await pages.page.$$eval("main button", (found) => found.map((each) => each.ariaLabel));
    expect(buttons).to.deep.equal([customers.copyId]);
  });
});
