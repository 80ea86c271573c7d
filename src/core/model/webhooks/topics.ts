import { z } from "zod";

const id = (prefix: string, noun: string) => z.string().meta({ description: `The ${noun}.`, pattern: `^${prefix}_` });

const orderData = z.strictObject({
  orderId: id("ord", "order"),
  orderNumber: z.string().meta({ description: "The order number." }),
});
const version = (noun: string) =>
  z
    .int32()
    .min(1)
    .meta({ description: `The ${noun}'s version after the change. Later changes have higher versions.` });
const changedOrderData = orderData.extend({ version: version("order") });
const productData = z.strictObject({
  productId: id("prod", "product"),
  handle: z.string().meta({ description: "The product's name in URLs. Can contain letters of any script." }),
  version: version("product"),
});
const customerData = z.strictObject({ customerId: id("cus", "customer"), version: version("customer") });

/**
 * The topics of the specification with the `data` of each: what is needed to fetch the resource, and no
 * personal data. The specification defines that of `order.created`, whose version is 1. `fields` are those of the
 * resource that a change can touch, by their names in both APIs. A field of a variant counts as one of its product.
 */
export const topics = {
  "order.created": { data: orderData, description: "An order was placed." },
  "order.updated": {
    data: changedOrderData,
    description: "An order changed in a way that no other topic covers.",
    fields: [
      "customer",
      "notes",
      "cancelReason",
      "paymentStatus",
      "fulfillmentStatus",
      "roundingAmount",
      "totalAmount",
      "items",
      "payments",
      "refunds",
      "metadata",
    ],
  },
  "order.paid": { data: changedOrderData, description: "An order is fully paid. Sent once." },
  "order.cancelled": { data: changedOrderData, description: "An order was cancelled." },
  "order.refunded": {
    data: changedOrderData.extend({
      refundId: id("ref", "refund"),
      amount: z.number().meta({ description: "The amount refunded. A decimal in major units." }),
      currency: z.string().meta({ description: "The ISO 4217 currency code." }),
    }),
    description: "An order was refunded. Sent for each refund of money.",
  },
  "product.created": { data: productData, description: "A product was created." },
  "product.updated": {
    data: productData,
    description: "A product or one of its variants changed, including price and stock.",
    fields: [
      "title",
      "description",
      "handle",
      "status",
      "optionNames",
      "variants",
      "optionValues",
      "price",
      "sku",
      "barcode",
      "inventoryQuantity",
      "isStockTracked",
      "metadata",
    ],
  },
  "product.deleted": { data: productData, description: "A product was deleted." },
  "customer.created": { data: customerData, description: "A customer was created." },
  "customer.updated": {
    data: customerData,
    description: "A customer changed.",
    fields: ["email", "firstName", "lastName", "phone", "note", "storeCreditBalance", "erasedAt", "metadata"],
  },
} as const satisfies Record<string, { data: z.ZodObject; description: string; fields?: readonly string[] }>;

export type Topic = keyof typeof topics;
export type TopicData<Name extends Topic> = z.output<(typeof topics)[Name]["data"]>;

/** The fields that a topic's events can say they changed. */
export type ChangedField<Name extends Topic> = Extract<
  (typeof topics)[Name],
  { fields: readonly string[] }
>["fields"][number];

export const topicNames = Object.keys(topics) as Topic[];

export function fieldsOfTopic(name: Topic): readonly string[] {
  const topic = topics[name];
  return "fields" in topic ? topic.fields : [];
}

/** A field as endpoints name it, such as product.updated.price. */
export type TopicField = `${Topic}.${string}`;

export const topicField = (topic: Topic, field: string): TopicField => `${topic}.${field}`;

export const topicFields = topicNames.flatMap((topic) => fieldsOfTopic(topic).map((field) => topicField(topic, field)));

/** Returns each topic once, in the order of the table. */
export function inOrder(chosen: readonly Topic[]): Topic[] {
  return topicNames.filter((topic) => chosen.includes(topic));
}
