import { z } from "zod";
import { fieldsOfTopic, topics, type Topic } from "../core/model/webhooks/topics.ts";
import { examples, idOf, schemaPath, timestamp } from "./schemas.ts";

const exampleData: { [Name in Topic]: z.output<(typeof topics)[Name]["data"]> } = {
  "order.created": { orderId: examples.ord, orderNumber: "1042" },
  "order.updated": { orderId: examples.ord, orderNumber: "1042", version: 2 },
  "order.paid": { orderId: examples.ord, orderNumber: "1042", version: 2 },
  "order.cancelled": { orderId: examples.ord, orderNumber: "1042", version: 2 },
  "order.refunded": {
    orderId: examples.ord,
    orderNumber: "1042",
    version: 3,
    refundId: examples.ref,
    amount: 14.5,
    currency: "EUR",
  },
  "product.created": { productId: examples.prod, handle: "stoneware-mug", version: 1 },
  "product.updated": { productId: examples.prod, handle: "stoneware-mug", version: 7 },
  "product.deleted": { productId: examples.prod, handle: "stoneware-mug", version: 8 },
  "customer.created": { customerId: examples.cus, version: 1 },
  "customer.updated": { customerId: examples.cus, version: 2 },
};

function schemaName(topic: Topic): string {
  const words = topic.split(".").map((word) => word[0]!.toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

/** The body of each topic's deliveries, named to appear in the OpenAPI components. */
const bodies = new Map(
  Object.entries(topics).map(([topic, { data, description }]) => [
    topic as Topic,
    z
      .strictObject({
        id: idOf("evt").meta({ description: "The ID of the event, the same in every delivery." }),
        topic: z.literal(topic),
        shopId: idOf("shop"),
        createdAt: timestamp,
        data,
      })
      .meta({ id: schemaName(topic as Topic), description }),
  ]),
);

const [firstBody, ...otherBodies] = bodies.values();

/** The body of any delivery, which generated clients narrow by its topic. Named to appear in the OpenAPI components. */
z.discriminatedUnion("topic", [firstBody!, ...otherBodies]).meta({
  id: "WebhookEvent",
  description: "The body of a delivery of any topic.",
  discriminator: {
    propertyName: "topic",
    mapping: Object.fromEntries([...bodies.keys()].map((topic) => [topic, schemaPath(schemaName(topic))])),
  },
});

/** The headers of every delivery. */
const headers = [
  [
    "X-Webhook-Signature",
    "`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the endpoint's signing secret.",
  ],
  ["X-Webhook-Topic", "The topic, as in the body."],
  ["webhook-id", "The ID of the event (Standard Webhooks)."],
  ["webhook-timestamp", "The time of the attempt, in seconds since 1970 (Standard Webhooks)."],
  [
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of ID, timestamp and body (Standard Webhooks). While two secrets are valid, a signature with each, separated by a space.",
  ],
] as const;

const optional = (name: string, description: string, values: object = {}) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", ...values },
});

const testHeader = optional("X-Webhook-Test", "Present only on test events. The IDs in their bodies match no record.", {
  enum: ["true"],
});
const changedHeader = optional("X-Webhook-Changed", "The changed fields, separated by commas. Absent if unknown.");
const actorHeader = optional(
  "X-Webhook-Actor",
  "The ID of the API key, service token or staff member that made the change. Absent for others.",
);

/** The `x-webhooks` of the document: OpenAPI 3.0 has no `webhooks`. */
export function describeWebhooks(): Record<string, unknown> {
  return Object.fromEntries([...bodies.keys()].map((topic) => [topic, { post: describeDelivery(topic) }]));
}

/** An example body of the topic. */
export function exampleEvent(topic: Topic) {
  const createdAt = "2026-01-31T09:30:00.000Z";
  return { id: examples.evt, topic, shopId: examples.shop, createdAt, data: exampleData[topic] };
}

/** The JSON Schema (2020-12) of a topic's bodies, without references. */
export function schemaOf(topic: Topic): Record<string, unknown> {
  const { $schema, $defs } = z.toJSONSchema(bodies.get(topic)!, {
    // OpenAPI 3.0 has a single example, JSON Schema a list.
    override: ({ jsonSchema }) => {
      const { example } = jsonSchema;
      if (example === undefined) return;
      delete jsonSchema.example;
      jsonSchema.examples = [example];
    },
  });
  return { $schema, ...$defs![schemaName(topic)] };
}

function describeDelivery(topic: Topic): Record<string, unknown> {
  return {
    operationId: `on${schemaName(topic)}`,
    summary: topic,
    description: `${topics[topic].description} Deliveries can arrive more than once and in any order. Use \`id\` to process each event once.`,
    tags: ["Webhooks"],
    security: [],
    parameters: [
      ...headers.map(([name, description]) => ({
        name,
        in: "header",
        required: true,
        description,
        schema: { type: "string" },
      })),
      testHeader,
      ...(fieldsOfTopic(topic).length > 0 ? [changedHeader] : []),
      actorHeader,
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: schemaPath(schemaName(topic)) },
          example: exampleEvent(topic),
        },
      },
    },
    responses: { "2XX": { description: "Received. Any other response is retried later." } },
  };
}
