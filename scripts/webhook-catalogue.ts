import { topicNames, topics, type Topic } from "../src/core/model/webhooks/topics.ts";
import { exampleEvent, schemaOf } from "../src/rest/openapi-webhooks.ts";

/** The causes of each topic: mutations by their name, routes by method and path. */
export const triggers: { [Name in Topic]: Record<string, string> } = {
  "order.created": { createOrder: "always" },
  "order.updated": {
    updateOrder: "the notes or the customer change",
    recordPayment: "a payment is noted that does not complete the total",
    settlePayment: "a payment is authorized, captured, voided or fails, and that does not complete the total",
    fulfillOrder: "units are handed over",
    refundOrder: "units come back without money, unless that cancels the order",
  },
  "order.paid": {
    createOrder: "its captured payments cover the total, beside `order.created`",
    recordPayment: "a captured payment completes the total",
    settlePayment: "a capture completes the total",
  },
  "order.cancelled": {
    cancelOrder: "always",
    refundOrder: "all units are back and no money is held, though not all that it cost was refunded",
  },
  "order.refunded": { refundOrder: "money goes back, in part or in full" },
  "product.created": {
    "POST /api/v1/{shopId}/products": "always; not when an answer is replayed for its `Idempotency-Key`",
    createProduct: "always",
    createProducts: "once for each product",
  },
  "product.updated": {
    updateProduct: "something changes",
    updateProducts: "once for each product that changes",
    createVariant: "always",
    updateVariant: "something changes",
    deleteVariant: "always",
    setStock: "stock changes; once for each product",
    adjustStock: "stock changes; once for each product",
    createOrder: "its units leave the stock; once for each product",
    cancelOrder: "units go back into stock; once for each product",
    refundOrder: "units go back into stock; once for each product",
  },
  "product.deleted": { deleteProduct: "there was one", deleteProducts: "once for each product that there was" },
  "customer.created": { createCustomer: "always" },
  "customer.updated": {
    updateCustomer: "something changes",
    grantStoreCredit: "always",
    spendStoreCredit: "always",
    createOrder: "store credit pays for it",
    recordPayment: "store credit pays for it",
    refundOrder: "store credit is given back",
  },
};

const begin = "<!-- begin: npm run generate -->\n";
const end = "<!-- end: npm run generate -->\n";

/** The page with its catalogue made anew. */
export function insertCatalogue(page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error("The page has no place for the catalogue");
  return `${before}${begin}\n${topicNames.map(describeTopic).join("\n")}\n${end}${after}`;
}

interface Property {
  type: string;
  description: string;
}

function describeTopic(topic: Topic): string {
  const schema = schemaOf(topic) as { properties: { data: { properties: Record<string, Property> } } };
  const data = Object.entries(schema.properties.data.properties);
  return `### ${topic}

${topics[topic].description}

| sent by | when |
|---|---|
${Object.entries(triggers[topic])
  .map(([name, when]) => `| \`${name}\` | ${when} |`)
  .join("\n")}

| in \`data\` | type | |
|---|---|---|
${data.map(([name, { type, description }]) => `| \`${name}\` | ${type} | ${description} |`).join("\n")}

\`\`\`json
${JSON.stringify(exampleEvent(topic), null, 2)}
\`\`\`

<details><summary>JSON Schema</summary>

\`\`\`json
${JSON.stringify(schema, null, 2)}
\`\`\`

</details>
`;
}
