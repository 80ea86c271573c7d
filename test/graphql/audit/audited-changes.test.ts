import { expect } from "chai";
import { query } from "../../support/database.ts";
import { call } from "../../support/client.ts";
import { whileCommitsFail } from "../../support/postgres/failing-commits.ts";
import { buildCustomer, buildKey, buildOrder, importProduct } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { CANCEL, CREATE, FULFILL, PAY, REFUND, SETTLE, UPDATE, useTill } from "../../support/shops/till.ts";

const LOG = `query ($shopId: ID!) { shop(id: $shopId) { auditLog {
  items { action actorKind actorId actorName targetId targetName address details { name value } } } } }`;

interface Entry {
  action: string;
  targetId: string;
  targetName: string;
  details: Record<string, string>;
}

describe("Changes of orders, products and customers in the audit log", () => {
  const server = useServer();
  const till = useTill(server);
  let clerk: { id: string; email: string };

  beforeEach(async () => {
    clerk = till.staff;
  });

  /** The shop's entries except logins, oldest first, with their actor and origin. */
  async function entries(): Promise<Entry[]> {
    const { data } = await till.ask(LOG, {});
    const items = data.shop.auditLog.items as (Entry & { details: { name: string; value: string }[] })[];
    const changes = items.filter(({ action }) => action !== "MEMBER_LOGGED_IN");
    return changes.toReversed().map(({ action, targetId, targetName, details, ...actor }) => {
      const own = { actorKind: "STAFF", actorId: clerk.id, actorName: clerk.email, address: "127.0.0.1" };
      expect(actor).to.deep.equal(own);
      return {
        action,
        targetId,
        targetName,
        details: Object.fromEntries(details.map((item) => [item.name, item.value])),
      };
    });
  }

  async function must(document: string, variables: Record<string, unknown>) {
    const { data, errors } = await till.ask(document, variables);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    return data;
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
    expect((await entries()).map(({ action }) => action)).to.deep.equal(["PAYMENT_RECORDED"]);
  });

  it("record the actor of payments and refunds", async () => {
    const order = await till.must(CREATE, till.sale({ payments: [{ method: "CASH", amount: "3" }] }));
    await till.must(PAY, { id: order.id, input: { method: "CARD", amount: "4" } });
    const document = `mutation ($shopId: ID!, $id: ID!, $input: RefundOrderInput!) {
      order: refundOrder(shopId: $shopId, id: $id, input: $input) { payments { actorId } refunds { actorId } } }`;
    const { payments, refunds } = await till.must(document, { id: order.id, input: { amount: "1" } });
    expect(payments).to.deep.equal([{ actorId: clerk.id }, { actorId: clerk.id }]);
    expect(refunds).to.deep.equal([{ actorId: clerk.id }]);
  });

  it("name the changed fields of a customer, and no personal data", async () => {
    const customer = await buildCustomer(server.em, till.shop);
    const update = `mutation ($shopId: ID!, $id: ID!, $input: UpdateCustomerInput!) {
      updateCustomer(shopId: $shopId, id: $id, input: $input) { id } }`;
    await must(update, {
      id: customer.id,
      input: { firstName: "Grace", phone: "030 123", lastName: customer.lastName },
    });
    await must(update, { id: customer.id, input: {} });
    const credit = (name: string) => `mutation ($shopId: ID!, $id: ID!, $amount: Decimal!) {
      ${name}(shopId: $shopId, customerId: $id, input: { amount: $amount, reason: "Sorry, Ada" }, idempotencyKey: "${name}") { id } }`;
    for (const name of ["grantStoreCredit", "grantStoreCredit", "spendStoreCredit"]) {
      await must(credit(name), { id: customer.id, amount: "2.5" });
    }
    const target = { targetId: customer.id, targetName: customer.id };
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
    await must(
      `mutation ($shopId: ID!, $id: ID!, $variantId: ID!) {
        updateProduct(shopId: $shopId, id: $id, input: { title: "Cup", status: DRAFT }) { id }
        again: updateProduct(shopId: $shopId, id: $id, input: { title: "Cup" }) { id }
        createVariant(shopId: $shopId, productId: $id, input: { price: "4", optionValues: ["L"] }) { id }
        updateVariant(shopId: $shopId, id: $variantId, input: { price: "0.5", sku: "CUP" }) { id }
        updateProducts(shopId: $shopId, inputs: [{ id: $id, title: "Bowl" }, { id: "prod_x" }]) { error { code } }
        deleteVariant(shopId: $shopId, id: $variantId) { id } }`,
      { id, variantId },
    );
    await must("mutation ($shopId: ID!, $id: ID!) { deleteProduct(shopId: $shopId, id: $id) }", { id });
    const target = { action: "PRODUCT_UPDATED", targetId: id };
    const found = await entries();
    const [created] = found.flatMap(({ details }) => details.createdVariantId ?? []);
    expect(created).to.match(/^var_/);
    expect(found).to.deep.equal([
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
    const create = `mutation ($shopId: ID!) {
      createProduct(shopId: $shopId, input: { title: "Jug", variants: [{ price: "1" }] }) { id createdBy } }`;
    const { createProduct } = await must(create, {});
    expect(createProduct.createdBy).to.equal(clerk.id);
    const key = await buildKey(server.em, till.shop);
    const { json } = await call(server, "POST", `/${till.shop.id}/products`, { key, body: { title: "Pot", price: 1 } });
    const read = "query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { product(id: $id) { createdBy } } }";
    const { shop } = await must(read, { id: json.product.id });
    expect(shop.product.createdBy).to.match(/^key_/);
    await must("mutation ($shopId: ID!, $ids: [ID!]!) { deleteProducts(shopId: $shopId, ids: $ids) { deleted } }", {
      ids: [createProduct.id, json.product.id],
    });
    await query(server.databaseUrl, "delete from audit_entries where action = 'API_KEY_CREATED'");
    expect((await entries()).map(({ details }) => details)).to.deep.equal([
      { createdBy: clerk.id },
      { createdBy: shop.product.createdBy },
    ]);
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
