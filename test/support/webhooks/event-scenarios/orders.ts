import { buildProduct } from "../../factories.ts";
import { buyer, credited, linesOf, paid } from "./sales.ts";
import { repeated, type Scenarios } from "./scene.ts";

export const orderScenarios: Scenarios = {
  createOrder: [
    { when: "unpaid", emits: ["order.created", "product.updated"], given: (scene) => scene.sale() },
    {
      when: "of two products, one of them in three lines",
      emits: ["order.created", "product.updated", "product.updated"],
      given: (scene) => scene.sale({ lines: linesOf(scene) }),
    },
    {
      when: "paid in part",
      emits: ["order.created", "product.updated"],
      given: (scene) => scene.sale({ payments: [{ method: "CASH", amount: "5" }] }),
    },
    {
      when: "with a payment on its way",
      emits: ["order.created", "product.updated"],
      given: (scene) => scene.sale({ payments: [{ method: "CARD", amount: "20", status: "AUTHORIZED" }] }),
    },
    {
      when: "paid and handed over",
      emits: ["order.created", "order.paid", "product.updated"],
      given: (scene) => scene.sale({ payments: paid, isFulfilled: true }),
    },
    {
      when: "that costs nothing",
      emits: ["order.created", "order.paid", "product.updated"],
      given: (scene) => scene.sale({ discount: { percentage: "100" } }),
    },
    {
      when: "paid with store credit",
      emits: ["customer.updated", "order.created", "order.paid", "product.updated"],
      given: (scene) => scene.sale({ ...buyer(scene), payments: credited("20") }),
    },
    {
      when: "paid with store credit in two payments",
      emits: ["customer.updated", "order.created", "order.paid", "product.updated"],
      given: (scene) => scene.sale({ ...buyer(scene), payments: [...credited("15"), ...credited("5")] }),
    },
    {
      when: "paid in part with store credit",
      emits: ["customer.updated", "order.created", "product.updated"],
      given: (scene) => scene.sale({ ...buyer(scene), payments: credited("5") }),
    },
    repeated("createOrder", (scene) => scene.sale({ ...buyer(scene), payments: credited("20") })),
    {
      when: "of more than there is",
      unchanged: true,
      refused: ["INSUFFICIENT_STOCK"],
      given: (scene) => scene.sale({ lines: [{ variantId: scene.mug.variants[0]!.id, quantity: 11 }] }),
    },
    {
      when: "for more store credit than there is",
      unchanged: true,
      refused: ["INSUFFICIENT_STORE_CREDIT"],
      given: (scene) => {
        const lines = [{ variantId: scene.mug.variants[0]!.id, quantity: 6 }];
        return scene.sale({ ...buyer(scene), lines, payments: credited("60") });
      },
    },
  ],
  updateOrder: [
    {
      when: "with notes",
      emits: ["order.updated"],
      given: async (scene) => ({ id: (await scene.order()).id, input: { notes: "Gift" } }),
    },
    {
      when: "with a customer",
      emits: ["order.updated"],
      given: async (scene) => ({ id: (await scene.order()).id, input: buyer(scene), expectedVersion: 1 }),
    },
    {
      when: "with what it is already",
      unchanged: true,
      given: async (scene) => {
        const annotated = { notes: "Gift", ...buyer(scene) };
        return { id: (await scene.order(annotated)).id, input: annotated };
      },
    },
    { when: "with nothing", unchanged: true, given: async (scene) => ({ id: (await scene.order()).id, input: {} }) },
    {
      when: "from another version",
      unchanged: true,
      refused: ["VERSION_CONFLICT"],
      given: async (scene) => ({ id: (await scene.order()).id, input: { notes: "Gift" }, expectedVersion: 2 }),
    },
  ],
  fulfillOrder: [
    {
      when: "whole",
      emits: ["order.updated"],
      given: async (scene) => ({ id: (await scene.order()).id, input: {} }),
    },
    {
      when: "in part",
      emits: ["order.updated"],
      given: async (scene) => {
        const { id, items } = await scene.order({ lines: linesOf(scene) });
        return { id, input: { items: [{ itemId: items[0].id, quantity: 1 }] } };
      },
    },
    {
      when: "that is handed over already",
      unchanged: true,
      refused: ["INVALID_STATE"],
      given: async (scene) => ({ id: (await scene.order({ isFulfilled: true })).id, input: {} }),
    },
  ],
  cancelOrder: [
    {
      when: "back into stock",
      emits: ["order.cancelled", "product.updated"],
      given: async (scene) => ({ id: (await scene.order()).id, input: {} }),
    },
    {
      when: "of two products, with a payment on its way",
      emits: ["order.cancelled", "product.updated", "product.updated"],
      given: async (scene) => {
        const payments = [{ method: "CARD", amount: "10", status: "PENDING" }];
        const { id } = await scene.order({ lines: linesOf(scene), payments });
        return { id, input: { reason: "Changed their mind" } };
      },
    },
    {
      when: "that stays out of stock",
      emits: ["order.cancelled"],
      given: async (scene) => ({ id: (await scene.order()).id, input: { restock: false } }),
    },
    {
      when: "of a product that is deleted",
      emits: ["order.cancelled"],
      given: async (scene) => {
        const product = await buildProduct(scene.server.em, scene.shop, { inventoryQuantity: 1 });
        const { id } = await scene.order({ lines: [{ variantId: product.variants[0]!.id, quantity: 1 }] });
        await scene.do("deleteProduct", { id: product.id });
        return { id, input: {} };
      },
    },
    {
      when: "whose money went back",
      emits: ["order.cancelled", "product.updated"],
      given: async (scene) => {
        const { id } = await scene.order({ payments: [{ method: "CASH", amount: "5" }] });
        await scene.do("refundOrder", { id, input: { amount: "5" } });
        return { id, input: {} };
      },
    },
    {
      when: "that is cancelled already",
      unchanged: true,
      refused: ["INVALID_STATE"],
      given: async (scene) => {
        const { id } = await scene.order();
        await scene.do("cancelOrder", { id, input: {} });
        return { id, input: {} };
      },
    },
  ],
};
