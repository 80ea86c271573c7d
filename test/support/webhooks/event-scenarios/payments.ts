import { buyer, credited, linesOf, paid } from "./sales.ts";
import { repeated, type Scenario, type Scenarios } from "./scene.ts";

/** A payment toward a new order. */
const pay =
  (method: string, amount: string, more: object = {}): Scenario["given"] =>
  async (scene) => ({ orderId: (await scene.order(buyer(scene))).id, input: { method, amount, ...more } });

/** A settled payment of a new order. */
const settle =
  (from: string, to: string, { amount = "20", ...more }: { amount?: string; reference?: string } = {}) =>
  async (scene: Parameters<Scenario["given"]>[0]) => {
    const { payments } = await scene.order({ payments: [{ method: "CARD", amount, status: from }] });
    return { paymentId: payments[0].id, input: { status: to, ...more } };
  };

/** The capture of a payment whose order is cancelled. */
async function captureLate(scene: Parameters<Scenario["given"]>[0]) {
  const { id, payments } = await scene.order({ payments: [{ method: "CARD", amount: "20", status: "AUTHORIZED" }] });
  await scene.do("cancelOrder", { id, input: {} });
  return { paymentId: payments[0].id, input: { status: "CAPTURED" } };
}

export const paymentScenarios: Scenarios = {
  recordPayment: [
    { when: "in part", emits: ["order.updated"], given: pay("CASH", "5") },
    { when: "that is on its way", emits: ["order.updated"], given: pay("CARD", "20", { status: "PENDING" }) },
    { when: "of all", emits: ["order.paid"], given: pay("CASH", "20", { reference: "ch_1" }) },
    {
      when: "of the rest",
      emits: ["order.paid"],
      given: async (scene) => {
        const { id } = await scene.order({ channel: "STOREFRONT", payments: [{ method: "CASH", amount: "5" }] });
        return { orderId: id, input: { method: "CARD", amount: "15" }, expectedVersion: 1 };
      },
    },
    { when: "of all by store credit", emits: ["customer.updated", "order.paid"], given: pay("STORE_CREDIT", "20") },
    { when: "in part by store credit", emits: ["customer.updated", "order.updated"], given: pay("STORE_CREDIT", "5") },
    {
      when: "that was captured although the order is cancelled",
      emits: ["order.updated"],
      given: async (scene) => {
        const { id } = await scene.order();
        await scene.do("cancelOrder", { id, input: {} });
        return { orderId: id, input: { method: "CARD", amount: "20" } };
      },
    },
    {
      when: "of more than the total",
      emits: ["order.paid"],
      given: pay("OTHER", "25", { allowOverpayment: true }),
    },
    {
      when: "of a paid order",
      emits: ["order.updated"],
      given: async (scene) => {
        const { id } = await scene.order({ payments: paid });
        return { orderId: id, input: { method: "CARD", amount: "20", allowOverpayment: true } };
      },
    },
    repeated("recordPayment", pay("STORE_CREDIT", "5")),
    { when: "of too much", unchanged: true, refused: ["VALIDATION_FAILED"], given: pay("CASH", "20.01") },
  ],
  settlePayment: [
    { when: "as authorized", emits: ["order.updated"], given: settle("PENDING", "AUTHORIZED", { reference: "ch_2" }) },
    { when: "as captured, of all", emits: ["order.paid"], given: settle("AUTHORIZED", "CAPTURED") },
    { when: "as captured, in part", emits: ["order.updated"], given: settle("PENDING", "CAPTURED", { amount: "5" }) },
    { when: "as failed", emits: ["order.updated"], given: settle("PENDING", "FAILED") },
    { when: "as voided", emits: ["order.updated"], given: settle("AUTHORIZED", "VOIDED") },
    {
      when: "as captured although the order is cancelled",
      emits: ["order.updated"],
      given: (scene) => captureLate(scene),
    },
    { when: "as authorized again", unchanged: true, given: settle("AUTHORIZED", "AUTHORIZED") },
    {
      when: "as captured again",
      unchanged: true,
      given: async (scene) => {
        const variables = await settle("PENDING", "CAPTURED")(scene);
        await scene.do("settlePayment", variables);
        return variables;
      },
    },
    {
      when: "as captured after it failed",
      emits: ["order.paid"],
      given: async (scene) => {
        const variables = await settle("PENDING", "FAILED")(scene);
        await scene.do("settlePayment", variables);
        return { ...variables, input: { status: "CAPTURED" } };
      },
    },
    {
      when: "as captured after it failed and the order was paid otherwise",
      emits: ["order.updated"],
      given: async (scene) => {
        const { id, payments } = await scene.order({ payments: [{ method: "CARD", amount: "20", status: "PENDING" }] });
        const paymentId = payments[0].id;
        await scene.do("settlePayment", { paymentId, input: { status: "FAILED" } });
        await scene.do("recordPayment", { orderId: id, input: { method: "CASH", amount: "20" } });
        return { paymentId, input: { status: "CAPTURED" } };
      },
    },
    {
      when: "as captured in part",
      emits: ["order.updated"],
      given: async (scene) => {
        const { paymentId } = await settle("AUTHORIZED", "CAPTURED")(scene);
        return { paymentId, input: { status: "CAPTURED", amount: "15" } };
      },
    },
  ],
  refundOrder: [
    {
      when: "by an amount",
      emits: ["order.refunded"],
      given: async (scene) => ({ id: (await scene.order({ payments: paid })).id, input: { amount: "5.50" } }),
    },
    {
      when: "by an amount, for the second time and the last",
      emits: ["order.refunded"],
      given: async (scene) => {
        const { id } = await scene.order({ payments: paid });
        await scene.do("refundOrder", { id, input: { amount: "5.50" } });
        return { id, input: { amount: "14.50" }, expectedVersion: 3 };
      },
    },
    {
      when: "by units of two products, one of which stays out of stock",
      emits: ["order.refunded", "product.updated"],
      given: async (scene) => {
        const { id, items } = await scene.order({
          lines: linesOf(scene),
          payments: [{ method: "CASH", amount: "35" }],
        });
        const units = items.map((item: { id: string }) => ({ itemId: item.id, quantity: 1 }));
        return { id, input: { items: [...units.slice(0, 3), { ...units[3], restock: false }] } };
      },
    },
    {
      when: "by units of two products, back into stock",
      emits: ["order.refunded", "product.updated", "product.updated"],
      given: async (scene) => {
        const { id, items } = await scene.order({
          lines: linesOf(scene),
          payments: [{ method: "CASH", amount: "35" }],
        });
        return { id, input: { items: items.map((item: { id: string }) => ({ itemId: item.id, quantity: 1 })) } };
      },
    },
    {
      when: "by units that stay out of stock",
      emits: ["order.refunded"],
      given: async (scene) => {
        const { id, items } = await scene.order({ payments: paid });
        return { id, input: { items: [{ itemId: items[0].id, quantity: 1, restock: false }] } };
      },
    },
    {
      when: "to store credit, by two payments and with units",
      emits: ["customer.updated", "order.refunded", "product.updated"],
      given: async (scene) => {
        const { id, items } = await scene.order({
          ...buyer(scene),
          payments: [...credited("15"), ...credited("5")],
        });
        return { id, input: { items: [{ itemId: items[0].id, quantity: 2 }] } };
      },
    },
    {
      when: "to store credit, by an amount",
      emits: ["customer.updated", "order.refunded"],
      given: async (scene) => {
        const { id } = await scene.order({ ...buyer(scene), payments: credited("20") });
        return { id, input: { amount: "3" } };
      },
    },
    repeated("refundOrder", async (scene) => {
      const { id } = await scene.order({ ...buyer(scene), payments: credited("20") });
      return { id, input: { amount: "3" } };
    }),
    {
      when: "by units without money, of an order that is handed over",
      emits: ["order.updated", "product.updated"],
      given: async (scene) => {
        const { id, items } = await scene.order({ isFulfilled: true });
        return { id, input: { amount: "0", items: [{ itemId: items[0].id, quantity: 1 }] } };
      },
    },
    {
      when: "by all units of two products, without money",
      emits: ["order.cancelled", "product.updated", "product.updated"],
      given: async (scene) => {
        const { id, items } = await scene.order({ lines: linesOf(scene), isFulfilled: true });
        const units = items.map((item: { id: string }) => ({ itemId: item.id, quantity: 1 }));
        return { id, input: { amount: "0", items: units } };
      },
    },
    {
      when: "by the last money of an order whose units are back",
      emits: ["order.cancelled", "order.refunded"],
      given: async (scene) => {
        const { id, items } = await scene.order({ payments: [{ method: "CASH", amount: "5" }] });
        await scene.do("refundOrder", { id, input: { amount: "0", items: [{ itemId: items[0].id, quantity: 2 }] } });
        return { id, input: { amount: "5" } };
      },
    },
    {
      when: "by money that was captured although the order is cancelled",
      emits: ["order.refunded"],
      given: async (scene) => {
        const { id } = await scene.do("settlePayment", await captureLate(scene));
        return { id, input: { amount: "20" } };
      },
    },
    {
      when: "by more than is held",
      unchanged: true,
      refused: ["VALIDATION_FAILED"],
      given: async (scene) => ({ id: (await scene.order({ payments: paid })).id, input: { amount: "20.01" } }),
    },
    {
      when: "of which no money is held",
      unchanged: true,
      refused: ["INVALID_STATE"],
      given: async (scene) => ({ id: (await scene.order()).id, input: { amount: "1" } }),
    },
  ],
};
