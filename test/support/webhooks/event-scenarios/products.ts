import { newId } from "../../../../src/core/model/ids.ts";
import { repeated, type Scenarios } from "./scene.ts";

const cup = (more: object = {}) => ({ title: "Cup", variants: [{ price: "4.00" }], ...more });
const sized = (more: object = {}) => ({ optionValues: ["L"], price: "12.00", ...more });

export const productScenarios: Scenarios = {
  createProduct: [
    { when: "without stock", emits: ["product.created"], given: () => ({ input: cup() }) },
    {
      when: "with two variants in stock",
      emits: ["product.created"],
      given: () => ({
        input: cup({
          optionNames: ["Size"],
          variants: ["S", "M"].map((size) => ({ optionValues: [size], price: "1", inventoryQuantity: 3 })),
        }),
      }),
    },
    repeated("createProduct", () => ({ input: cup({ variants: [{ price: "1", inventoryQuantity: 3 }] }) })),
    {
      when: "without a title",
      unchanged: true,
      refused: ["VALIDATION_FAILED"],
      given: () => ({ input: cup({ title: " " }) }),
    },
  ],
  updateProduct: [
    {
      when: "with another title",
      emits: ["product.updated"],
      given: ({ mug }) => ({ id: mug.id, input: { title: "Big mug" } }),
    },
    {
      when: "with everything else than it was",
      emits: ["product.updated"],
      given: ({ mug }) => ({
        id: mug.id,
        input: { title: "Jug", handle: "jug", description: "Holds", status: "DRAFT", optionNames: ["Height"] },
        expectedVersion: 1,
      }),
    },
    {
      when: "with what it is already",
      unchanged: true,
      given: ({ mug }) => ({
        id: mug.id,
        input: {
          title: ` ${mug.title} `,
          handle: mug.handle,
          description: null,
          status: "ACTIVE",
          optionNames: ["Size"],
        },
      }),
    },
    { when: "with nothing", unchanged: true, given: ({ mug }) => ({ id: mug.id, input: {} }) },
    {
      when: "from another version",
      unchanged: true,
      refused: ["VERSION_CONFLICT"],
      given: ({ mug }) => ({ id: mug.id, input: { title: "Jug" }, expectedVersion: 2 }),
    },
  ],
  deleteProduct: [
    { when: "with two variants", emits: ["product.deleted"], given: ({ mug }) => ({ id: mug.id }) },
    { when: "that never was", unchanged: true, given: () => ({ id: newId("prod") }) },
    {
      when: "that is deleted already",
      unchanged: true,
      given: async (scene) => {
        await scene.do("deleteProduct", { id: scene.mug.id });
        return { id: scene.mug.id };
      },
    },
  ],
  createVariant: [
    {
      when: "without stock",
      emits: ["product.updated"],
      given: ({ mug }) => ({ productId: mug.id, input: sized() }),
    },
    {
      when: "in stock",
      emits: ["product.updated"],
      given: ({ mug }) => ({ productId: mug.id, input: sized({ inventoryQuantity: 7 }) }),
    },
    {
      when: "with taken option values",
      unchanged: true,
      refused: ["VALIDATION_FAILED"],
      given: ({ mug }) => ({ productId: mug.id, input: sized({ optionValues: ["S"] }) }),
    },
  ],
  updateVariant: [
    {
      when: "with another price",
      emits: ["product.updated"],
      given: ({ mug }) => ({ id: mug.variants[0]!.id, input: { price: "11" } }),
    },
    {
      when: "with everything else than it was",
      emits: ["product.updated"],
      given: ({ mug }) => ({
        id: mug.variants[0]!.id,
        input: { price: "11", optionValues: ["XS"], sku: "MUG-XS", barcode: "123" },
      }),
    },
    {
      when: "with what it is already",
      unchanged: true,
      given: ({ mug }) => ({
        id: mug.variants[0]!.id,
        input: { price: "10", optionValues: ["S"], sku: "", barcode: "" },
      }),
    },
    { when: "with nothing", unchanged: true, given: ({ mug }) => ({ id: mug.variants[0]!.id, input: {} }) },
  ],
  deleteVariant: [
    { when: "of two", emits: ["product.updated"], given: ({ mug }) => ({ id: mug.variants[1]!.id }) },
    {
      when: "that is the last",
      unchanged: true,
      refused: ["INVALID_STATE"],
      given: ({ plate }) => ({ id: plate.variants[0]!.id }),
    },
    {
      when: "that is deleted already",
      unchanged: true,
      refused: ["NOT_FOUND"],
      given: async (scene) => {
        const { id } = scene.mug.variants[1]!;
        await scene.do("deleteVariant", { id });
        return { id };
      },
    },
  ],
  createProducts: [
    {
      when: "of one title",
      emits: ["product.created", "product.created", "product.created"],
      given: () => ({ inputs: [cup(), cup(), cup()] }),
    },
    {
      when: "of which one is refused and one is there twice",
      emits: ["product.created", "product.created"],
      refused: ["VALIDATION_FAILED"],
      given: () => ({
        inputs: [cup({ title: " " }), cup({ idempotencyKey: "a" }), cup({ idempotencyKey: "a" }), cup()],
      }),
    },
    {
      when: "sent again with their idempotency keys",
      unchanged: true,
      given: async (scene) => {
        const inputs = [cup({ idempotencyKey: "a" }), cup({ idempotencyKey: "b" })];
        await scene.do("createProducts", { inputs });
        return { inputs };
      },
    },
  ],
  updateProducts: [
    {
      when: "that all change, one of them twice",
      emits: ["product.updated", "product.updated"],
      given: ({ mug, plate }) => ({
        inputs: [
          { id: mug.id, title: "Jug" },
          { id: plate.id, title: "Bowl" },
          { id: mug.id, title: "Mug" },
        ],
      }),
    },
    {
      when: "of which one is unknown, and one is what it was",
      emits: ["product.updated"],
      refused: ["NOT_FOUND"],
      given: ({ mug, plate }) => ({
        inputs: [
          { id: newId("prod"), title: "Jug" },
          { id: mug.id, title: mug.title },
          { id: plate.id, status: "DRAFT" },
        ],
      }),
    },
    {
      when: "with what they are already",
      unchanged: true,
      given: ({ mug, plate }) => ({ inputs: [{ id: mug.id, title: mug.title }, { id: plate.id }] }),
    },
  ],
  deleteProducts: [
    {
      when: "of which one is unknown and one is there twice",
      emits: ["product.deleted", "product.deleted"],
      given: ({ mug, plate }) => ({ ids: [newId("prod"), mug.id, plate.id, mug.id] }),
    },
    { when: "that never were", unchanged: true, given: () => ({ ids: [newId("prod"), newId("prod")] }) },
  ],
};
