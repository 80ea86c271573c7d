import { fieldsOfTopic, topicNames, topics, type Topic } from "../src/core/model/webhooks/topics.ts";
import { exampleEvent, schemaOf } from "../src/rest/openapi-webhooks.ts";
import { replaceGenerated } from "./generated-part.ts";

/** What causes each topic: mutations by name, routes by method and path. */
export const triggers: { [Name in Topic]: Record<string, string> } = {
  "order.created": { createOrder: "always" },
  "order.updated": {
    updateOrder: "the notes, the customer or the metadata change",
    recordPayment: "a payment is recorded that does not complete the total of a confirmed order",
    settlePayment:
      "a payment is authorized, voided or fails, or a capture does not complete the total of a confirmed order",
    fulfillOrder: "units are fulfilled",
    refundOrder: "units are returned without money, unless that cancels the order",
    eraseCustomer: "their notes and metadata are erased too; once for each order",
  },
  "order.paid": {
    createOrder: "its captured payments cover the total, beside `order.created`",
    recordPayment: "a captured payment completes the total",
    settlePayment: "a capture completes the total",
  },
  "order.cancelled": {
    cancelOrder: "always",
    refundOrder: "the last units are returned and no captured money remains, but less than the total was refunded",
  },
  "order.refunded": { refundOrder: "money is refunded, in part or in full" },
  "product.created": {
    "POST /api/v1/{shopId}/products": "always, except when a response is replayed for its `Idempotency-Key`",
    createProduct: "always",
    createProducts: "once for each product",
  },
  "product.updated": {
    updateProduct: "a field changes",
    updateProducts: "once for each product that changes",
    createVariant: "always",
    updateVariant: "a field changes",
    deleteVariant: "always",
    setStock: "stock changes; once for each product",
    adjustStock: "stock changes; once for each product",
    createOrder: "stock changes; once for each product",
    cancelOrder: "stock changes; once for each product",
    refundOrder: "stock changes; once for each product",
  },
  "product.deleted": { deleteProduct: "the product existed", deleteProducts: "once for each product that existed" },
  "customer.created": { createCustomer: "always" },
  "customer.updated": {
    updateCustomer: "a field changes",
    eraseCustomer: "the customer was not erased before, and once more for forfeited store credit",
    grantStoreCredit: "always",
    spendStoreCredit: "always",
    createOrder: "a payment uses store credit",
    recordPayment: "a payment uses store credit",
    refundOrder: "store credit is refunded",
  },
};

/** Returns docs/webhooks.md with its catalog generated from the topics. */
export const insertCatalog = (page: string): string =>
  replaceGenerated(page, [describeFields(), ...topicNames.map(describeTopic)].join("\n"));

interface Property {
  description: string;
}

/** Formats an event with one field per line. */
function printEvent(event: object): string {
  const fields = Object.entries(event).map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`);
  return `{\n${fields.join(",\n")}\n}`;
}

/** The fields of `data` in any topic. A field has the same meaning in each. */
function describeFields(): string {
  const fields = Object.assign({}, ...topicNames.map(dataFieldsOf)) as Record<string, Property>;
  const rows = Object.entries(fields).map(([name, { description }]) => {
    const meaning = name === "version" ? "[The version](#keep-a-copy-of-a-record)." : description;
    return `| \`${name}\` | ${meaning} |`;
  });
  return `| field of \`data\` | value |\n|---|---|\n${rows.join("\n")}\n`;
}

function dataFieldsOf(topic: Topic): Record<string, Property> {
  const schema = schemaOf(topic) as { properties: { data: { properties: Record<string, Property> } } };
  return schema.properties.data.properties;
}

/** The rows of a topic's table. Causes that send it at the same time share a row. */
function describeTriggers(named: Record<string, string>): string[] {
  const byTime = Map.groupBy(Object.keys(named), (name) => named[name]!);
  return [...byTime].map(([when, names]) => `| ${names.map((name) => `\`${name}\``).join(", ")} | ${when} |`);
}

/** The fields of `X-Webhook-Changed`. */
function describeChangedFields(topic: Topic): string {
  const fields = fieldsOfTopic(topic);
  return fields.length === 0 ? "" : `\nFields: ${fields.map((field) => `\`${field}\``).join(", ")}\n`;
}

function describeTopic(topic: Topic): string {
  return `### ${topic}

${topics[topic].description}
${describeChangedFields(topic)}
| sent by | when |
|---|---|
${describeTriggers(triggers[topic]).join("\n")}

\`\`\`json
${printEvent(exampleEvent(topic))}
\`\`\`
`;
}
