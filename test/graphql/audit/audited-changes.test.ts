import { expect } from "chai";
import { query } from "../../support/database.ts";
import { whileCommitsFail } from "../../support/postgres/failing-commits.ts";
import { buildCustomer, buildOrder, importProduct } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { CANCEL, CREATE, FULFILL, PAY, REFUND, SETTLE, UPDATE, useTill } from "../../support/shops/till.ts";

interface AuditEntry {
  action: string;
  targetId: string;
  targetName: string;
  details: { name: string; value: string }[];
}

describe("Changes of orders, products and customers in the audit log", () => {
  const server = useServer();
  const till = useTill(server);
  const { staff: clerk, run } = till;

  /** The shop's entries except logins, oldest first, after a check of their actor and origin. */
  async function entries() {
    const { items } = await run("auditLog");
    const changes = items.filter(({ action }: { action: string }) => action !== "MEMBER_LOGGED_IN");
    const own = { actorKind: "STAFF", actorId: clerk.id, actorName: clerk.email, address: "127.0.0.1" };
    for (const entry of changes) expect(entry).to.deep.include(own);
    return changes.toReversed().map(({ action, targetId, targetName, details }: AuditEntry) => ({
      action,
      targetId,
      targetName,
      details: Object.fromEntries(details.map(({ name, value }) => [name, value])),
    }));
  }

  it("have one entry per step of an order", async () => {
    const sale = await till.must(CREATE, till.sale());
    const { id } = sale;
    const target = { targetId: id, targetName: sale.orderNumber };
    await till.must(UPDATE, { id, input: { notes: "Gift" } });
    const card = { method: "CARD", amount: "3", status: "AUTHORIZED" };
    const { payments } = await till.must(PAY, { id, input: card, idempotencyKey: "card" });
    await till.must(SETTLE, { id: payments[0].id, input: { status: "CAPTURED" } });
    await till.must(PAY, { id, input: { method: "CASH", amount: "20.8" } });
    await till.must(FULFILL, { id, input: {} });
    const { refunds } = await till.must(REFUND, { id, input: { amount: "5" }, idempotencyKey: "sorry" });
    const refundedAll = await till.must(REFUND, { id, input: { amount: "18.8" } });
    expect(await entries()).to.deep.equal([
      { action: "ORDER_UPDATED", ...target, details: { fields: "notes" } },
      { action: "PAYMENT_RECORDED", ...target, details: { method: "CARD", status: "AUTHORIZED", amount: "3.00" } },
      {
        action: "PAYMENT_SETTLED",
        ...target,
        details: { paymentId: payments[0].id, oldStatus: "AUTHORIZED", status: "CAPTURED" },
      },
      { action: "PAYMENT_RECORDED", ...target, details: { method: "CASH", status: "CAPTURED", amount: "20.80" } },
      { action: "ORDER_FULFILLED", ...target, details: { units: "2" } },
      { action: "ORDER_REFUNDED", ...target, details: { refundId: refunds[0].id, amount: "5.00" } },
      {
        action: "ORDER_REFUNDED",
        ...target,
        details: { refundId: refundedAll.refunds[1].id, amount: "18.80", status: "REFUNDED" },
      },
    ]);
  });

  it("have one entry per cancellation, and per payment that it voids", async () => {
    const card = { method: "CARD", amount: "3", status: "AUTHORIZED" };
    const { id, orderNumber, payments } = await till.must(CREATE, till.sale({ payments: [card] }));
    await till.must(CANCEL, { id, input: { restock: false } });
    const target = { targetId: id, targetName: orderNumber };
    const voided = { paymentId: payments[0].id, oldStatus: "AUTHORIZED", status: "VOIDED" };
    expect(await entries()).to.deep.equal([
      { action: "PAYMENT_SETTLED", ...target, details: voided },
      { action: "ORDER_CANCELLED", ...target, details: { restock: "false" } },
    ]);
  });

  it("have no second entry for a replay, and none without a change", async () => {
    const { id } = await till.must(CREATE, till.sale());
    const pay = { id, input: { method: "CASH", amount: "1" }, idempotencyKey: "once" };
    const { payments } = await till.must(PAY, pay);
    await till.must(PAY, pay);
    await till.must(SETTLE, { id: payments[0].id, input: { status: "CAPTURED" } });
    await till.must(UPDATE, { id, input: { notes: null } });
    await till.refused(CANCEL, { id, input: {} });
    await till.refused(REFUND, { id, input: { amount: "2" } });
    expect((await entries()).map(({ action }: { action: string }) => action)).to.deep.equal(["PAYMENT_RECORDED"]);
  });

  it("record the actor of payments and refunds", async () => {
    const order = await till.must(CREATE, till.sale({ payments: [{ method: "CASH", amount: "3" }] }));
    await till.must(PAY, { id: order.id, input: { method: "CARD", amount: "4" } });
    const { payments, refunds } = await run("refundOrder", { id: order.id, input: { amount: "1" } });
    const actors = [...payments, ...refunds].map(({ actorId }: { actorId: string }) => actorId);
    expect(actors).to.deep.equal([clerk.id, clerk.id, clerk.id]);
  });

  it("name the changed fields of a customer, and no personal data", async () => {
    const { id, lastName } = await buildCustomer(server.em, till.shop);
    await run("updateCustomer", { id, input: { firstName: "Grace", phone: "030 123", lastName } });
    await run("updateCustomer", { id, input: {} });
    for (const name of ["grantStoreCredit", "grantStoreCredit", "spendStoreCredit"]) {
      const input = { amount: "2.5", reason: "Sorry, Ada" };
      await run(name, { customerId: id, input, idempotencyKey: name });
    }
    const target = { targetId: id, targetName: id };
    expect(await entries()).to.deep.equal([
      { action: "CUSTOMER_UPDATED", ...target, details: { fields: "firstName, phone" } },
      { action: "STORE_CREDIT_GRANTED", ...target, details: { amount: "2.50" } },
      { action: "STORE_CREDIT_SPENT", ...target, details: { amount: "2.50" } },
    ]);
  });

  it("record changes of a product, its variants and prices", async () => {
    const options = { optionNames: ["Size"], variants: [{ price: "3.00", optionValues: ["S"] }] };
    const product = await importProduct(server.em, till.shop, { title: "Mug", ...options });
    const { id } = product;
    const variantId = product.variants[0]!.id;
    await run("updateProduct", { id, input: { title: "Cup", status: "DRAFT" } });
    await run("updateProduct", { id, input: { title: "Cup" } });
    const { variants } = await run("createVariant", { productId: id, input: { price: "4", optionValues: ["L"] } });
    const created = variants[1].id;
    await run("updateVariant", { id: variantId, input: { price: "0.5", sku: "CUP" } });
    await run("updateProducts", { inputs: [{ id, title: "Bowl" }, { id: "prod_x" }] });
    await run("deleteVariant", { id: variantId });
    await run("deleteProduct", { id });
    const target = { action: "PRODUCT_UPDATED", targetId: id };
    expect(await entries()).to.deep.equal([
      {
        ...target,
        targetName: "Cup",
        details: { fields: "title, status", oldTitle: "Mug", title: "Cup", oldStatus: "ACTIVE", status: "DRAFT" },
      },
      { ...target, targetName: "Cup", details: { createdVariantId: created } },
      {
        ...target,
        targetName: "Cup",
        details: { variantId, fields: "price, sku", oldPrice: "3.00", price: "0.50", oldSku: "", sku: "CUP" },
      },
      { ...target, targetName: "Bowl", details: { fields: "title", oldTitle: "Cup", title: "Bowl" } },
      { ...target, targetName: "Bowl", details: { deletedVariantId: variantId } },
      { action: "PRODUCT_DELETED", targetId: id, targetName: "Bowl", details: {} },
    ]);
  });

  it("record the creator of a product from both APIs, also after its deletion", async () => {
    const jug = await run("createProduct", { input: { title: "Jug", variants: [{ price: "1" }] } });
    expect(jug.createdBy).to.equal(clerk.id);
    const { json } = await till.call("POST", "/products", { body: { title: "Pot", price: 1 } });
    const { id } = json.product;
    const { createdBy } = await run("product", { id });
    expect(createdBy).to.match(/^key_/);
    await run("deleteProducts", { ids: [jug.id, id] });
    await query(server.databaseUrl, "delete from audit_entries where action = 'API_KEY_CREATED'");
    const details = (await entries()).map((entry: { details: object }) => entry.details);
    expect(details).to.deep.equal([{ createdBy: clerk.id }, { createdBy }]);
  });

  it("commit together with their entries", async () => {
    const order = await buildOrder(server.em, till.shop);
    // Logged in before, because logins are audited, too.
    await till.session();
    await whileCommitsFail(server.databaseUrl, "audit_entries", async () => {
      for (const [document, input] of [
        [UPDATE, { notes: "Gift" }],
        [REFUND, { amount: "1" }],
      ] as const) {
        expect((await till.refused(document, { id: order.id, input })).code).to.equal("INTERNAL_SERVER_ERROR");
      }
    });
    const rows = await query(server.databaseUrl, "select notes, refunded_amount from orders where id = $1", [order.id]);
    expect(rows).to.deep.equal([{ notes: null, refunded_amount: "0" }]);
  });
});
