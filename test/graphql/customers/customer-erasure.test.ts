import { expect } from "chai";
import { newId } from "../../../src/core/model/ids.ts";
import { buildCustomer, buildOrder, buildProduct } from "../../support/factories.ts";
import { findText } from "../../support/postgres/find-text.ts";
import { useWorld } from "../../support/world.ts";

const PERSON = {
  email: "zephyrine@quillfeather.example",
  firstName: "Zephyrine",
  lastName: "Quillfeather",
  phone: "+49 30 98765432",
  note: "Wyvernfriend",
  metadata: [{ key: "chat", value: "wyvern-7" }],
};
const TRACES = ["zephyrine", "quillfeather", "98765432", "wyvernfriend", "wyvern-7", "order-of-zephyrine"];

describe("eraseCustomer", () => {
  const world = useWorld();
  const { server, run, refusal, sql } = world;

  const create = async (): Promise<string> => (await run("createCustomer", { input: PERSON })).id;
  const sell = async (
    customerId: string,
    notes = "Zephyrine wants a bag",
    method = "CASH",
  ): Promise<{ id: string; items: { id: string }[] }> => {
    const { variants } = await buildProduct(server.em, world.shop, { inventoryQuantity: 5 });
    return run("createOrder", {
      input: {
        channel: "POS",
        customerId,
        notes,
        metadata: [{ key: "file", value: "order-of-zephyrine" }],
        lines: [{ variantId: variants[0]!.id, quantity: 1 }],
        payments: [{ method, amount: "10.00" }],
      },
    });
  };

  const buildImportedCustomer = (input: object) =>
    world.sql(
      `with import as (
         insert into imports (shop_id, id, kind, state, file_name, file_size, actor, created_at, ended_at)
         values ($1, $2, 'CUSTOMERS', 'FINISHED', 'customers.csv', 1, '{}', now(), now()) returning shop_id, id
       )
       insert into import_items (shop_id, import_id, number, first_row, last_row, input, problems)
       select shop_id, id, 1, 2, 2, $3, '[]' from import`,
      newId("imp"),
      JSON.stringify(input),
    );

  it("leaves no trace of the person in any table, and keeps the amounts", async () => {
    const id = await create();
    await run("updateCustomer", { id, input: { firstName: "Zephyrine B." } });
    await buildImportedCustomer({ ...PERSON, email: PERSON.email.toUpperCase() });
    await run("grantStoreCredit", { customerId: id, input: { amount: "3", reason: "Zephyrine complained" } });
    await run("spendStoreCredit", { customerId: id, input: { amount: "3", reason: "Zephyrine bought" } });
    const order = await sell(id);
    const refund = { items: [{ itemId: order.items[0]!.id, quantity: 1 }], reason: "Zephyrine's choice" };
    await run("refundOrder", { id: order.id, input: refund });
    const before = await run("order", { id: order.id });
    const exported = JSON.parse(await run("exportCustomer", { id }));
    expect(exported.customer).to.include({ id, email: PERSON.email, phone: PERSON.phone, note: PERSON.note });
    expect([exported.customer.metadata, exported.orders[0].metadata]).to.deep.equal([
      { chat: "wyvern-7" },
      { file: "order-of-zephyrine" },
    ]);
    expect(exported.customer).not.to.have.any.keys("shop_id", "search_words");
    expect(exported.store_credit_entries.map(({ amount }: { amount: number }) => amount)).to.deep.equal([3, -3]);
    expect(exported.orders).to.have.length(1);
    expect(exported.orders[0]).to.include({ id: order.id, notes: "Zephyrine wants a bag" });
    expect(exported.orders[0].items).to.have.length(1);
    expect(exported.orders[0].payments[0]).to.include({ method: "CASH", amount: 10 });
    expect(exported.orders[0].refunds[0]).to.include({ reason: "Zephyrine's choice" });
    expect(exported.audit_entries.map(({ action }: { action: string }) => action)).to.deep.equal([
      "CUSTOMER_UPDATED",
      "STORE_CREDIT_GRANTED",
      "STORE_CREDIT_SPENT",
      "CUSTOMER_EXPORTED",
    ]);
    for (const text of TRACES) expect(await findText(server, text), text).not.to.deep.equal([]);
    const erased = await run("eraseCustomer", { id, input: { includeNotes: true } });
    for (const text of TRACES) expect(await findText(server, text), text).to.deep.equal([]);
    expect(erased).to.include({ email: `${id}@erased.invalid`, firstName: "Erased", lastName: "customer" });
    expect(erased).to.include({ phone: null, note: null, orderCount: 1 });
    expect(erased.erasedAt).to.equal(erased.updatedAt);
    const after = await run("order", { id: order.id });
    expect(after).to.deep.include({ totalAmount: before.totalAmount, payments: before.payments, notes: null });
    expect(after.version).to.equal(before.version + 1);
    expect((await world.audited()).slice(-2)).to.deep.equal([
      ["CUSTOMER_ERASED", { includeNotes: "true", forfeitedStoreCredit: "0.00" }],
      ["ORDER_UPDATED", { fields: "notes, cancelReason, refunds.reason, metadata" }],
    ]);
  });

  it("keeps the notes of orders unless it is asked to erase them, also later", async () => {
    const id = await create();
    const order = await sell(id);
    const first = await run("eraseCustomer", { id });
    expect((await run("order", { id: order.id })).notes).to.equal("Zephyrine wants a bag");
    const again = await run("eraseCustomer", { id, input: { includeNotes: true, forfeitStoreCredit: "1" } });
    expect(again).to.deep.equal(first);
    expect((await run("order", { id: order.id })).notes).to.equal(null);
  });

  it("erases the notes of more orders than it locks at once", async () => {
    const customer = await buildCustomer(server.em, world.shop);
    for (let count = 0; count < 205; count += 1) await buildOrder(server.em, world.shop, { customer, notes: "A bag" });
    await run("eraseCustomer", { id: customer.id, input: { includeNotes: true } });
    const orders = await sql("select notes, version, count(*)::int from orders where shop_id = $1 group by 1, 2");
    expect(orders).to.deep.equal([{ notes: null, version: 2, count: 205 }]);
  });

  it("books out exactly the store credit that is forfeited", async () => {
    const id = await create();
    await run("grantStoreCredit", { customerId: id, input: { amount: "5", reason: "Test" } });
    expect(await refusal("eraseCustomer", { id })).to.deep.equal(["INVALID_STATE"]);
    for (const forfeitStoreCredit of ["4.99", "5.01", "0"]) {
      const refused = await refusal("eraseCustomer", { id, input: { forfeitStoreCredit } });
      expect(refused).to.deep.equal(["VALIDATION_FAILED", "forfeitStoreCredit: invalid_value"]);
    }
    expect((await run("customer", { id })).firstName).to.equal("Zephyrine");
    const request = { id, input: { forfeitStoreCredit: "5" }, idempotencyKey: "once" };
    const erased = await run("eraseCustomer", request);
    expect(erased).to.include({ storeCreditBalance: "0.00" });
    expect(await run("eraseCustomer", request)).to.deep.equal(erased);
    const entries = await sql("select amount, reason from store_credit_entries where shop_id = $1 order by id");
    expect(entries.at(-1)).to.deep.equal({ amount: "-5.00", reason: "Forfeited when the customer was erased" });
  });

  it("refuses to update the customer, to grant them store credit, or to sell to them, but refunds their orders", async () => {
    const id = await create();
    await run("grantStoreCredit", { customerId: id, input: { amount: "10", reason: "Gift" } });
    const paid = await sell(id, "", "STORE_CREDIT");
    const order = await sell((await buildCustomer(server.em, world.shop)).id);
    await run("eraseCustomer", { id });
    const grant = { customerId: id, input: { amount: "1", reason: "Gift" } };
    expect(await refusal("grantStoreCredit", grant)).to.deep.equal(["INVALID_STATE"]);
    await run("refundOrder", { id: paid.id, input: { amount: "10" } });
    await run("spendStoreCredit", { customerId: id, input: { amount: "10", reason: "Paid in cash" } });
    expect(await refusal("updateCustomer", { id, input: { firstName: "Zephyrine" } })).to.deep.equal(["INVALID_STATE"]);
    const erased = ["VALIDATION_FAILED", "customerId: erased"];
    expect(await refusal("updateOrder", { id: order.id, input: { customerId: id } })).to.deep.equal(erased);
    expect((await run("createCustomer", { input: PERSON })).email).to.equal(PERSON.email);
  });

  it("leaves no note of an order that races with it", async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = (await buildCustomer(server.em, world.shop, { lastName: "Hippogriff" })).id;
      await Promise.allSettled([
        sell(id, "For Hippogriff"),
        run("eraseCustomer", { id, input: { includeNotes: true } }),
        run("updateCustomer", { id, input: { firstName: "Hippogriff" } }),
        run("eraseCustomer", { id, input: { includeNotes: true } }),
        sell(id, "For Hippogriff"),
      ]);
      expect(await findText(server, "hippogriff"), `round ${round}`).to.deep.equal([]);
    }
  });
});
