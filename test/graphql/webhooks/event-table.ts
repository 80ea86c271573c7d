import { newId } from "../../../src/core/model/ids.ts";
import type { Variables } from "../../support/world.ts";
import type { Market } from "./market.ts";

/** Creates the circumstances of a case, and returns the mutation's variables. */
export type Given = (market: Market) => Variables | Promise<Variables>;

/** By circumstances, and the topics of all events with the errors of items. A case without events changes nothing. */
type Cases = Record<`${string} → ${string}`, Given>;

const cup = (more: object = {}) => ({ title: "Cup", variants: [{ price: "4.00" }], ...more });
const ada = { email: "ada@example.com", firstName: "Ada", lastName: "Example", phone: "+49 30 123", note: "Likes tea" };
const cash = (amount: string) => [{ method: "CASH", amount }];
const card = (status: string, amount = "20") => [{ method: "CARD", amount, status }];

/** The mutation sent again with the same idempotency key. */
const again = (mutation: string, given: Given): Cases => ({
  "sent again with its idempotency key → nothing": async (market) => {
    const variables = { ...(await given(market)), idempotencyKey: "once" };
    await market.run(mutation, variables);
    return variables;
  },
});

const credit =
  (amount: string): Given =>
  ({ customer }) => ({ customerId: customer.id, input: { amount, reason: "Test" } });

/** The input for a new order. */
const forOrder =
  (overrides: (market: Market) => object, input: object): Given =>
  async (market) => ({ id: (await market.order({ ...overrides(market) })).id, input });

/** A payment toward a new order of the customer. */
const pay =
  (method: string, amount: string, more: object = {}): Given =>
  async ({ order, credited }) => ({ orderId: (await order(credited())).id, input: { method, amount, ...more } });

/** Changes of a new order's payment, of which the last is left to be made. */
const settle =
  (payment: object[], ...inputs: object[]): Given =>
  async ({ order, run }) => {
    const paymentId = (await order({ payments: payment })).payments[0].id;
    for (const input of inputs.slice(0, -1)) await run("settlePayment", { paymentId, input });
    return { paymentId, input: inputs.at(-1) };
  };

/** The capture of a payment whose order is cancelled. */
const captureLate = async ({ order, run }: Market) => {
  const { id, payments } = await order({ payments: card("AUTHORIZED") });
  await run("cancelOrder", { id, input: {} });
  return { paymentId: payments[0].id, input: { status: "CAPTURED" } };
};

/** A refund of a new order: an amount, or a quantity of each of its lines. */
const refund =
  (
    overrides: (market: Market) => object,
    { amount, quantity, restock }: { amount?: string; quantity?: number; restock?: boolean },
  ): Given =>
  async (market) => {
    const { id, items } = await market.order({ ...overrides(market) });
    const units = items.map((item: { id: string }) => ({ itemId: item.id, quantity, restock }));
    return { id, input: { amount, items: quantity && units } };
  };

const paid = () => ({ payments: cash("20") });

/** Every mutation that emits events, in every case that differs in them. */
export const table: Record<string, Cases> = {
  createProduct: {
    "without stock → product.created": () => ({ input: cup() }),
    "in stock → product.created": () => ({ input: cup({ variants: [{ price: "1", inventoryQuantity: 3 }] }) }),
    ...again("createProduct", () => ({ input: cup({ variants: [{ price: "1", inventoryQuantity: 3 }] }) })),
  },
  updateProduct: {
    "with another title → product.updated": ({ mug }) => ({ id: mug.id, input: { title: "Jug" } }),
    "with other options → product.updated": ({ mug }) => ({ id: mug.id, input: { optionNames: ["Height"] } }),
    "with nothing → nothing": ({ mug }) => ({ id: mug.id, input: {} }),
    "with what it is already → nothing": ({ mug: { id, handle } }) => ({
      id,
      input: { title: " Mug ", handle, description: null, status: "ACTIVE", optionNames: ["Size"] },
    }),
  },
  deleteProduct: {
    "with two variants → product.deleted": ({ mug }) => ({ id: mug.id }),
    "that never was → nothing": () => ({ id: newId("prod") }),
  },
  createVariant: {
    "of a product → product.updated": ({ mug }) => ({ productId: mug.id, input: { optionValues: ["L"], price: "1" } }),
  },
  updateVariant: {
    "with another price → product.updated": ({ variantIds: [id] }) => ({ id, input: { price: "11" } }),
    "with another size → product.updated": ({ variantIds: [id] }) => ({ id, input: { optionValues: ["XS"] } }),
    "with nothing → nothing": ({ variantIds: [id] }) => ({ id, input: {} }),
    "with what it is already → nothing": ({ variantIds: [id] }) => ({
      id,
      input: { price: "10", optionValues: ["S"], sku: "", barcode: "" },
    }),
  },
  deleteVariant: { "of two → product.updated": ({ variantIds: [id] }) => ({ id }) },
  createProducts: {
    "of one title → product.created product.created": () => ({ inputs: [cup(), cup()] }),
    "of which one is refused and one is sent twice → product.created product.created VALIDATION_FAILED": () => ({
      inputs: [cup({ title: " " }), cup({ idempotencyKey: "a" }), cup({ idempotencyKey: "a" }), cup()],
    }),
    "sent again with their idempotency keys → nothing": async ({ run }) => {
      const inputs = [cup({ idempotencyKey: "a" }), cup({ idempotencyKey: "b" })];
      await run("createProducts", { inputs });
      return { inputs };
    },
  },
  updateProducts: {
    "of which one changes twice, one is unknown, and one is what it was → product.updated NOT_FOUND": ({
      mug,
      plate,
    }) => ({
      inputs: [
        { id: plate.id, title: "Bowl" },
        { id: newId("prod"), title: "Jug" },
        { id: mug.id, title: mug.title },
        { id: plate.id, title: "Dish" },
      ],
    }),
    "with what they are already → nothing": ({ mug }) => ({ inputs: [{ id: mug.id, title: mug.title }] }),
  },
  deleteProducts: {
    "of which one is unknown and one is sent twice → product.deleted product.deleted": ({ mug, plate }) => ({
      ids: [newId("prod"), mug.id, plate.id, mug.id],
    }),
    "that never were → nothing": () => ({ ids: [newId("prod"), newId("prod")] }),
  },
  setStock: {
    "of two products, where one is unknown, one is as it was, and one is not what is expected → product.updated product.updated NOT_FOUND VERSION_CONFLICT":
      ({ variantIds: [s, m, plate] }) => ({
        changes: [
          { variantId: newId("var"), quantity: 4 },
          { variantId: s, quantity: 10 },
          { variantId: m, quantity: 4, expectedQuantity: 9 },
          { variantId: s, quantity: 4, reason: "LOST" },
          { variantId: plate, quantity: 12, expectedQuantity: 10, note: "Found" },
        ],
      }),
    "to what it is → nothing": ({ variantIds }) => ({
      changes: variantIds.map((variantId) => ({ variantId, quantity: 10, note: "Counted" })),
    }),
  },
  adjustStock: {
    "up and down, where one takes too much, and one is sent twice → product.updated product.updated INSUFFICIENT_STOCK":
      ({ variantIds: [mug, , plate] }) => {
        const change = { variantId: plate, delta: -10, reason: "LOST", idempotencyKey: "a" };
        return {
          changes: [
            { variantId: mug, delta: -11, reason: "LOST" },
            { variantId: mug, delta: 5, reason: "RECEIVED" },
            { variantId: mug, delta: -1, reason: "DAMAGED" },
            change,
            change,
          ],
        };
      },
    "sent again with its idempotency key → nothing": async ({ variantIds: [variantId], run }) => {
      const changes = [{ variantId, delta: -1, reason: "LOST", idempotencyKey: "a" }];
      await run("adjustStock", { changes });
      return { changes };
    },
  },
  createCustomer: {
    "with everything → customer.created": () => ({ input: ada }),
    ...again("createCustomer", () => ({ input: ada })),
  },
  updateCustomer: {
    "with another name → customer.updated": ({ customer: { id } }) => ({ id, input: { firstName: "Grace" } }),
    "with nothing → nothing": ({ customer: { id } }) => ({ id, input: {} }),
    "with what it is already → nothing": async ({ run }) => {
      const { id } = await run("createCustomer", { input: ada });
      return { id, input: { ...ada, firstName: " Ada " } };
    },
  },
  eraseCustomer: {
    "with store credit → customer.updated customer.updated": ({ customer: { id } }) => ({
      id,
      input: { forfeitStoreCredit: "50" },
    }),
    "with the notes of an order → customer.updated customer.updated order.updated": async ({ customer, order }) => {
      await order({ customerId: customer.id, notes: "Gift" });
      return { id: customer.id, input: { forfeitStoreCredit: "50", includeNotes: true } };
    },
    "again → nothing": async ({ customer: { id }, run }) => {
      await run("eraseCustomer", { id, input: { forfeitStoreCredit: "50" } });
      return { id };
    },
  },
  grantStoreCredit: { "once → customer.updated": credit("10.00"), ...again("grantStoreCredit", credit("10.00")) },
  spendStoreCredit: {
    "to the last → customer.updated": credit("50.00"),
    ...again("spendStoreCredit", credit("10.00")),
  },
  createOrder: {
    "unpaid → order.created product.updated": ({ sale }) => sale(),
    "of two products → order.created product.updated product.updated": ({ sale, mixed }) => sale(mixed()),
    "paid in part → order.created product.updated": ({ sale }) => sale({ payments: cash("5") }),
    "with a pending payment → order.created product.updated": ({ sale }) => sale({ payments: card("AUTHORIZED") }),
    "paid → order.created order.paid product.updated": ({ sale }) => sale({ ...paid(), isFulfilled: true }),
    "for free → order.created order.paid product.updated": ({ sale }) => sale({ discount: { percentage: "100" } }),
    "paid with store credit in two payments → customer.updated order.created order.paid product.updated": ({
      sale,
      credited,
    }) => sale(credited("15", "5")),
    "paid in part with store credit → customer.updated order.created product.updated": ({ sale, credited }) =>
      sale(credited("5")),
    ...again("createOrder", ({ sale, credited }) => sale(credited("20"))),
  },
  updateOrder: {
    "with notes → order.updated": forOrder(() => ({}), { notes: "Gift" }),
    "with nothing → nothing": forOrder(() => ({}), {}),
    "with a customer → order.updated": async ({ order, customer }) => ({
      id: (await order()).id,
      input: { customerId: customer.id },
    }),
    "with what it is already → nothing": async ({ order, customer }) => {
      const input = { notes: "Gift", customerId: customer.id };
      return { id: (await order(input)).id, input };
    },
  },
  fulfillOrder: {
    "whole → order.updated": forOrder(() => ({}), {}),
    "in part → order.updated": async ({ order }) => {
      const { id, items } = await order();
      return { id, input: { items: [{ itemId: items[0].id, quantity: 1 }] } };
    },
  },
  cancelOrder: {
    "back into stock → order.cancelled product.updated": forOrder(() => ({}), {}),
    "that stays out of stock → order.cancelled": forOrder(() => ({}), { restock: false }),
    "of two products, with a pending payment → order.cancelled product.updated product.updated": forOrder(
      ({ mixed }) => ({ ...mixed(), payments: card("PENDING", "10") }),
      { reason: "Changed their mind" },
    ),
    "of a deleted product → order.cancelled": async ({ order, mug, run }) => {
      const { id } = await order();
      await run("deleteProduct", { id: mug.id });
      return { id, input: {} };
    },
    "whose money was refunded → order.cancelled product.updated": async ({ order, run }) => {
      const { id } = await order({ payments: cash("5") });
      await run("refundOrder", { id, input: { amount: "5" } });
      return { id, input: {} };
    },
  },
  recordPayment: {
    "in part → order.updated": pay("CASH", "5"),
    "that is pending → order.updated": pay("CARD", "20", { status: "PENDING" }),
    "of all → order.paid": pay("CASH", "20", { reference: "ch_1" }),
    "of more than the total → order.paid": pay("OTHER", "25", { allowOverpayment: true }),
    "of all by store credit → customer.updated order.paid": pay("STORE_CREDIT", "20"),
    "in part by store credit → customer.updated order.updated": pay("STORE_CREDIT", "5"),
    "of a cancelled order → order.updated": async ({ order, run }) => {
      const { id } = await order();
      await run("cancelOrder", { id, input: {} });
      return { orderId: id, input: { method: "CARD", amount: "20" } };
    },
    "of a paid order → order.updated": async ({ order }) => ({
      orderId: (await order(paid())).id,
      input: { method: "CARD", amount: "20", allowOverpayment: true },
    }),
    ...again("recordPayment", pay("STORE_CREDIT", "5")),
  },
  settlePayment: {
    "as authorized → order.updated": settle(card("PENDING"), { status: "AUTHORIZED", reference: "ch_2" }),
    "as authorized again → nothing": settle(card("AUTHORIZED"), { status: "AUTHORIZED" }),
    "as captured, of all → order.paid": settle(card("AUTHORIZED"), { status: "CAPTURED" }),
    "as captured again → nothing": settle(card("PENDING"), { status: "CAPTURED" }, { status: "CAPTURED" }),
    "as captured in part → order.updated": settle(card("AUTHORIZED"), { status: "CAPTURED", amount: "15" }),
    "as failed → order.updated": settle(card("PENDING"), { status: "FAILED" }),
    "as captured after a failure → order.paid": settle(card("PENDING"), { status: "FAILED" }, { status: "CAPTURED" }),
    "as voided → order.updated": settle(card("AUTHORIZED"), { status: "VOIDED" }),
    "as captured after the order was cancelled → order.updated": captureLate,
    "as captured after the order was paid otherwise → order.updated": async ({ order, run }) => {
      const { id, payments } = await order({ payments: card("PENDING") });
      const paymentId = payments[0].id;
      await run("settlePayment", { paymentId, input: { status: "FAILED" } });
      await run("recordPayment", { orderId: id, input: { method: "CASH", amount: "20" } });
      return { paymentId, input: { status: "CAPTURED" } };
    },
  },
  refundOrder: {
    "by an amount → order.refunded": refund(paid, { amount: "5.50" }),
    "by units that stay out of stock → order.refunded": refund(paid, { quantity: 1, restock: false }),
    "to store credit → customer.updated order.refunded": refund(({ credited }) => credited("20"), { amount: "3" }),
    ...again(
      "refundOrder",
      refund(({ credited }) => credited("20"), { amount: "3" }),
    ),
    "to store credit, by two payments and with units → customer.updated order.refunded product.updated": refund(
      ({ credited }) => credited("15", "5"),
      { quantity: 2 },
    ),
    "by units without money → order.updated product.updated": refund(() => ({ isFulfilled: true }), {
      amount: "0",
      quantity: 1,
    }),
    "by all units of two products, without money → order.cancelled product.updated product.updated": refund(
      ({ mixed }) => ({ ...mixed(), isFulfilled: true }),
      { amount: "0", quantity: 1 },
    ),
    "by the last money of an order whose units are returned → order.cancelled order.refunded": async ({
      order,
      run,
    }) => {
      const { id, items } = await order({ payments: cash("5") });
      await run("refundOrder", { id, input: { amount: "0", items: [{ itemId: items[0].id, quantity: 2 }] } });
      return { id, input: { amount: "5" } };
    },
    "by money captured after the order was cancelled → order.refunded": async (market) => {
      const { id } = await market.run("settlePayment", await captureLate(market));
      return { id, input: { amount: "20" } };
    },
  },
};
