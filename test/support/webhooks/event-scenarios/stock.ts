import { newId } from "../../../../src/core/model/ids.ts";
import type { Scenarios } from "./scene.ts";

export const stockScenarios: Scenarios = {
  setStock: [
    {
      when: "of two variants of one product, and of another",
      emits: ["product.updated", "product.updated"],
      given: ({ mug, plate }) => ({
        changes: [
          { variantId: mug.variants[0]!.id, quantity: 4, expectedQuantity: 10 },
          { variantId: mug.variants[1]!.id, quantity: 0, reason: "LOST" },
          { variantId: plate.variants[0]!.id, quantity: 12, note: "Found" },
        ],
      }),
    },
    {
      when: "where one is unknown, one is as it was, and one is not what is expected",
      emits: ["product.updated"],
      refused: ["NOT_FOUND", "VERSION_CONFLICT"],
      given: ({ mug, plate }) => ({
        changes: [
          { variantId: newId("var"), quantity: 4 },
          { variantId: mug.variants[0]!.id, quantity: 10 },
          { variantId: mug.variants[1]!.id, quantity: 4, expectedQuantity: 9 },
          { variantId: plate.variants[0]!.id, quantity: 9 },
        ],
      }),
    },
    {
      when: "to what it is",
      unchanged: true,
      given: ({ mug, plate }) => ({
        changes: [mug, plate].map(({ variants }) => ({ variantId: variants[0]!.id, quantity: 10, note: "Counted" })),
      }),
    },
  ],
  adjustStock: [
    {
      when: "up and down of one variant, and of another product's",
      emits: ["product.updated", "product.updated"],
      given: ({ mug, plate }) => ({
        changes: [
          { variantId: mug.variants[0]!.id, delta: 5, reason: "RECEIVED" },
          { variantId: mug.variants[0]!.id, delta: -1, reason: "DAMAGED", note: "Broken" },
          { variantId: plate.variants[0]!.id, delta: 1, reason: "RETURNED" },
        ],
      }),
    },
    {
      when: "where one takes more than there is, and one is sent twice",
      emits: ["product.updated"],
      refused: ["INSUFFICIENT_STOCK"],
      given: ({ mug, plate }) => {
        const change = { variantId: plate.variants[0]!.id, delta: -10, reason: "LOST", idempotencyKey: "a" };
        return { changes: [{ variantId: mug.variants[0]!.id, delta: -11, reason: "LOST" }, change, change] };
      },
    },
    {
      when: "sent again with its idempotency key",
      unchanged: true,
      given: async (scene) => {
        const { id } = scene.mug.variants[0]!;
        const changes = [{ variantId: id, delta: -1, reason: "LOST", idempotencyKey: "a" }];
        await scene.do("adjustStock", { changes });
        return { changes };
      },
    },
    {
      when: "below zero",
      unchanged: true,
      refused: ["INSUFFICIENT_STOCK"],
      given: ({ mug }) => ({ changes: [{ variantId: mug.variants[0]!.id, delta: -11, reason: "LOST" }] }),
    },
  ],
};
