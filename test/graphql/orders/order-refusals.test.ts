import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { Permission } from "../../../src/core/model/permissions.ts";
import { createServiceToken } from "../../../src/core/credentials/service-tokens/service-tokens.ts";
import { buildCustomer, grantStoreCredit, importProduct } from "../../support/factories.ts";
import { askGraphql } from "../../support/graphql.ts";
import { useServer } from "../../support/server.ts";
import { CANCEL, CREATE, FULFILL, PAY, REFUND, useTill } from "../../support/shops/till.ts";

describe("An order change over its limit", () => {
  const server = useServer();
  const till = useTill(server);
  const paid = [{ method: "CARD", amount: "23.80" }];

  /** The refusal's issues as path and message, or its message without issues. */
  async function refusal(document: string, variables: Record<string, unknown>, headers?: Record<string, string>) {
    const all = { shopId: till.shop.id, ...variables };
    const { errors } = await askGraphql(server, document, all, headers ?? (await till.session()));
    const { message, extensions } = errors[0]!;
    const { issues = [] } = extensions as { issues?: { path: string; message: string }[] };
    return issues.length > 0 ? issues.map((issue) => `${issue.path}: ${issue.message}`) : [message];
  }

  it("reports the amount left to pay, for new and existing orders", async () => {
    expect(await refusal(CREATE, till.sale({ payments: [...paid, { method: "CASH", amount: "1" }] }))).to.deep.equal([
      "payments.1.amount: Must not exceed the amount left to pay: 0.00 EUR",
    ]);
    const { id } = await till.must(CREATE, till.sale({ payments: [{ method: "CASH", amount: "3.80" }] }));
    expect(await refusal(PAY, { id, input: { method: "CARD", amount: "20.01" } })).to.deep.equal([
      "amount: Must not exceed the amount left to pay: 20.00 EUR",
    ]);
  });

  it("reports the amount left to refund, of the order or of the payment", async () => {
    const payments = [
      { method: "CASH", amount: "3.80" },
      { method: "CARD", amount: "20" },
    ];
    const order = await till.must(CREATE, till.sale({ payments, isFulfilled: true }));
    const { id } = order;
    await till.must(REFUND, { id, input: { amount: "3", reason: "Goodwill" } });
    const left = "the captured amount that is not refunded yet";
    expect(await refusal(REFUND, { id, input: { amount: "20.81" } })).to.deep.equal([
      `amount: Must not exceed ${left}: 20.80 EUR`,
    ]);
    expect(await refusal(REFUND, { id, input: { amount: "1", paymentId: order.payments[0].id } })).to.deep.equal([
      `amount: Must not exceed ${left}: 0.80 EUR`,
    ]);
    const items = [{ itemId: order.items[0].id, quantity: 2 }];
    expect(await refusal(REFUND, { id, input: { items } })).to.deep.equal([
      `items: Must not cost more than ${left}: 20.80 EUR. Set an amount to refund less`,
    ]);
  });

  it("says how much is left to refund of other payments, and before the order can be cancelled", async () => {
    const payments = [
      { method: "CASH", amount: "3.80" },
      { method: "CARD", amount: "20" },
    ];
    const { id, payments: recorded } = await till.must(CREATE, till.sale({ payments }));
    expect(await refusal(CANCEL, { id, input: {} })).to.deep.equal([
      "The order has unrefunded payments. Refund them first: 23.80 EUR",
    ]);
    const paymentId = recorded[0].id;
    await till.must(REFUND, { id, input: { amount: "3.80", paymentId } });
    const { errors } = await till.ask(REFUND, { id, input: { amount: "1", paymentId } });
    expect(errors[0]).to.include({ message: "The payment has nothing left to refund" });
    expect(errors[0]!.extensions).to.include({
      hint: "Omit paymentId to refund what is left of all payments: 20.00 EUR",
    });
  });

  it("reports the units left to refund and to fulfill, by item", async () => {
    const lines = [till.mug, till.plate].map(({ id: variantId }) => ({ variantId, quantity: 3 }));
    const order = await till.must(CREATE, till.sale({ lines, payments: [{ method: "CARD", amount: "39.99" }] }));
    const { id } = order;
    const units = (...quantities: number[]) =>
      quantities.map((quantity, index) => ({ itemId: order.items[index].id, quantity }));
    await till.must(FULFILL, { id, input: { items: units(1) } });
    expect(await refusal(FULFILL, { id, input: { items: units(3, 4) } })).to.deep.equal([
      "items.0.quantity: Must not exceed the remaining units: 2",
      "items.1.quantity: Must not exceed the remaining units: 3",
    ]);
    await till.must(REFUND, { id, input: { items: units(1) } });
    expect(await refusal(REFUND, { id, input: { items: units(3, 4) } })).to.deep.equal([
      "items.0.quantity: Must not exceed the remaining units: 2",
      "items.1.quantity: Must not exceed the remaining units: 3",
    ]);
  });

  it("reports the available store credit and stock", async () => {
    const customer = await buildCustomer(server.em, till.shop);
    await grantStoreCredit(server.em, customer, "5.00");
    const credit = till.sale({ customerId: customer.id, payments: [{ method: "STORE_CREDIT", amount: "23.80" }] });
    expect(await refusal(CREATE, credit)).to.deep.equal(["Insufficient store credit: 5.00 EUR"]);
    expect(await refusal(CREATE, till.sale({ lines: [{ variantId: till.mug.id, quantity: 11 }] }))).to.deep.equal([
      "Insufficient stock of Imported product: 10 left",
    ]);
    const sizes = [{ title: "350 ml", optionValues: ["350 ml"], inventoryQuantity: 0 }];
    const product = { title: "Stoneware Mug", optionNames: ["Size"], variants: sizes };
    const { variants } = await importProduct(server.em, till.shop, product);
    expect(await refusal(CREATE, till.sale({ lines: [{ variantId: variants[0]!.id, quantity: 1 }] }))).to.deep.equal([
      "Insufficient stock of Stoneware Mug · 350 ml: 0 left",
    ]);
  });

  it("reports none of it without the read permission", async () => {
    const grant = { name: "Writer", permissions: [Permission.WRITE_ORDERS] };
    const { secret } = await createServiceToken({ em: server.em, shop: till.shop, actor: operator }, grant);
    const headers = { authorization: `Bearer ${secret}` };
    const order = await till.must(CREATE, till.sale({ payments: [{ method: "CASH", amount: "3.80" }] }));
    const { id } = order;
    const blind = (document: string) => document.replace(/\{\s+id orderNumber[^]*$/, "{ id } }");
    const items = [{ itemId: order.items[0].id, quantity: 3 }];
    const refusals = [
      await refusal(blind(PAY), { id, input: { method: "CARD", amount: "20.01" } }, headers),
      await refusal(blind(REFUND), { id, input: { amount: "4" } }, headers),
      await refusal(blind(REFUND), { id, input: { items } }, headers),
      await refusal(blind(CREATE), till.sale({ lines: [{ variantId: till.mug.id, quantity: 9 }] }), headers),
    ];
    expect(refusals.flat()).to.deep.equal([
      "amount: Must not exceed the amount left to pay",
      "amount: Must not exceed the captured amount that is not refunded yet",
      "items.0.quantity: Must not exceed the remaining units",
      `Insufficient stock of variant ${till.mug.id}`,
    ]);
  });
});
