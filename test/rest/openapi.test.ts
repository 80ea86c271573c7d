import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { SCOPES, SCOPES_WITHOUT_ROUTE } from "../../src/core/model/permissions.ts";
import { signDelivery } from "../../src/core/webhooks/deliveries/delivery-headers.ts";
import { call } from "../support/client.ts";
import { callRaw } from "../support/requests/raw.ts";
import { useServer } from "../support/server.ts";
import { openWorld } from "../support/world.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a document of arbitrary JSON
type Json = any;

const ROUTES = [
  "GET /api/v1/openapi.json",
  "GET /api/v1/{shopId}/products",
  "POST /api/v1/{shopId}/products",
  "GET /api/v1/{shopId}/products/{productId}",
  "GET /api/v1/{shopId}/orders",
  "GET /api/v1/{shopId}/orders/{orderId}",
  "GET /api/v1/{shopId}/customers",
  "GET /api/v1/{shopId}/customers/{customerId}",
];

const TOPICS = [
  "order.created",
  "order.updated",
  "order.paid",
  "order.cancelled",
  "order.refunded",
  "product.created",
  "product.updated",
  "product.deleted",
  "customer.created",
  "customer.updated",
];

describe("GET /openapi.json", () => {
  const server = useServer({ config: { baseUrl: "https://api.shop.example" } });
  let description: Json;

  before(async () => {
    const { status, json } = await call(server, "GET", "/openapi.json");
    expect(status).to.equal(200);
    description = json;
  });

  function operations(): { name: string; operation: Json }[] {
    return Object.entries<Json>(description.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );
  }

  describe("as a response", () => {
    it("requires no key, and ignores one", async () => {
      for (const key of [undefined, "nonsense"]) {
        expect((await call(server, "GET", "/openapi.json", { key })).status).to.equal(200);
      }
    });

    it("is JSON that any web page may read", async () => {
      const { headers } = await call(server, "GET", "/openapi.json", { headers: { Origin: "https://docs.example" } });
      expect(headers.get("content-type")).to.equal("application/json; charset=utf-8");
      expect(headers.get("access-control-allow-origin")).to.equal("*");
      expect(headers.get("cache-control")).to.match(/^public\b/);
    });

    it("supports 304 and HEAD", async () => {
      const etag = (await callRaw(server, "GET", "/openapi.json")).headers.get("etag")!;
      const headers: [string, string][] = [["If-None-Match", etag]];
      expect((await callRaw(server, "GET", "/openapi.json", { headers })).status).to.equal(304);
      const head = await callRaw(server, "HEAD", "/openapi.json");
      expect(head.status).to.equal(200);
      expect(head.headers.get("etag")).to.equal(etag);
      expect(head.bytes).to.have.length(0);
    });

    it("supports no other method", async () => {
      const { status, headers } = await call(server, "POST", "/openapi.json", { body: {} });
      expect(status).to.equal(405);
      expect(headers.get("allow")).to.equal("GET, HEAD");
    });
  });

  describe("as a document", () => {
    it("declares OpenAPI 3.0.3, version 1.0.0 and the server", () => {
      expect(description.openapi).to.equal("3.0.3");
      expect(description.info.version).to.equal("1.0.0");
      expect(description.servers).to.deep.equal([{ url: "https://api.shop.example" }]);
    });

    it("describes the specified routes, and no others", () => {
      expect(operations().map(({ name }) => name)).to.have.members(ROUTES);
    });

    it("requires a key in either header on every merchant route", () => {
      expect(description.components.securitySchemes).to.have.keys("bearerAuth", "serviceAccessToken");
      const { bearerAuth, serviceAccessToken } = description.components.securitySchemes;
      expect(bearerAuth).to.include({ type: "http", scheme: "bearer" });
      expect(serviceAccessToken).to.include({ type: "apiKey", in: "header", name: "X-Service-Access-Token" });
      expect(description.security).to.deep.equal([{ bearerAuth: [] }, { serviceAccessToken: [] }]);
      for (const { name, operation } of operations()) {
        expect(operation.security, name).to.deep.equal(name.endsWith("openapi.json") ? [] : undefined);
      }
    });

    it("describes every status of a merchant route", () => {
      for (const { name, operation } of operations().filter((entry) => entry.name.includes("{shopId}"))) {
        const isPost = name.startsWith("POST");
        const own = isPost ? ["201", "409", "413", "415"] : ["200", "304"];
        const statuses = own.concat("400", "401", "403", "404", "500", "503");
        expect(Object.keys(operation.responses), name).to.have.members(statuses);
      }
    });

    it("describes the limit of requests in flight, and what to do beyond it", () => {
      expect(description.info.description).to.include("up to 60 requests in flight").and.include("`Retry-After`");
      for (const { name, operation } of operations().filter((entry) => entry.name.includes("{shopId}"))) {
        const refusal = operation.responses[503];
        expect(refusal.description, name).to.include("up to 60 in flight").and.include("`Retry-After`");
        expect(refusal.headers, name).to.include.keys("Retry-After");
      }
    });

    it("names the scope of each route, and every scope that a route requires", () => {
      const scopes = operations().flatMap(({ operation }) => /scope `(\w+)`/.exec(operation.description)?.[1] ?? []);
      expect([...new Set(scopes), ...SCOPES_WITHOUT_ROUTE]).to.have.members([...SCOPES]);
      expect(scopes.toSorted()).to.deep.equal([
        "read_customers",
        "read_customers",
        "read_orders",
        "read_orders",
        "read_products",
        "read_products",
        "write_products",
      ]);
    });

    it("describes query parameters with their limits", () => {
      const parametersOf = (name: string) =>
        Object.fromEntries(
          operations()
            .find((entry) => entry.name === name)!
            .operation.parameters.filter((parameter: Json) => parameter.in === "query")
            .map((parameter: Json) => [parameter.name, parameter.schema]),
        );
      const paging = {
        page: { type: "integer", minimum: 1, maximum: 2_147_483_647 },
        limit: { type: "integer", minimum: 1, maximum: 250, default: 50 },
        cursor: { type: "string" },
        updatedSince: { type: "string", format: "date-time" },
      };
      expect(parametersOf("GET /api/v1/{shopId}/orders")).to.deep.equal(paging);
      expect(parametersOf("GET /api/v1/{shopId}/customers")).to.deep.equal(paging);
      expect(parametersOf("GET /api/v1/{shopId}/orders/{orderId}")).to.deep.equal({});
      expect(parametersOf("GET /api/v1/{shopId}/products")).to.deep.equal({
        ...paging,
        search: { type: "string", maxLength: 200 },
        status: { type: "string", enum: ["ACTIVE", "DRAFT", "ARCHIVED"] },
      });
    });

    it("describes the body of a new product with its limits", () => {
      const { CreateProduct } = description.components.schemas;
      expect(CreateProduct.required).to.have.members(["title", "price"]);
      expect(CreateProduct.additionalProperties).to.equal(false);
      expect(CreateProduct.properties).to.have.keys("title", "status", "price", "sku", "inventoryQuantity");
      const { title, status, price, sku, inventoryQuantity } = CreateProduct.properties;
      expect(title).to.include({ type: "string", minLength: 1, maxLength: 255 });
      expect(status).to.deep.include({ enum: ["ACTIVE", "DRAFT", "ARCHIVED"] });
      expect(price).to.include({ type: "number", minimum: 0, maximum: 999_999_999_999.999 });
      expect(sku).to.include({ type: "string", maxLength: 64 });
      expect(inventoryQuantity).to.include({ type: "integer", minimum: 0, maximum: 1_000_000_000 });
    });

    it("describes defaults in words, because generators take a field with a default as required", () => {
      const { CreateProduct } = description.components.schemas;
      const { status, sku, inventoryQuantity } = CreateProduct.properties;
      expect(status.description).to.equal('Default: `"ACTIVE"`.');
      expect(sku.description).to.match(/ Default: `""`\.$/);
      expect(inventoryQuantity.description).to.equal("Default: `0`.");
      expect(JSON.stringify(description.components.schemas)).not.to.include('"default"');
    });

    it("names no schema like a JavaScript global", () => {
      expect(Object.keys(description.components.schemas).filter((name) => name in globalThis)).to.deep.equal([]);
    });

    it("has an example of each required parameter, body and response", () => {
      for (const { name, operation } of operations()) {
        for (const parameter of operation.parameters ?? []) {
          const { example, schema, required, description: text } = parameter;
          expect(example !== undefined, `${name} ${parameter.name}`).to.equal(required);
          // API clients that import the document send what they find here with every request.
          if (!required) expect({ ...parameter, ...schema }).not.to.have.any.keys("example", "examples");
          expect(text, `${name} ${parameter.name}`).to.be.a("string");
        }
        for (const { content } of [operation.requestBody ?? {}, ...Object.values<Json>(operation.responses)]) {
          if (content) expect(content["application/json"], name).to.have.any.keys("example", "examples");
        }
      }
    });

    it("describes a body for each of the ten topics", () => {
      expect(description["x-webhooks"]).to.have.keys(TOPICS);
      for (const topic of TOPICS) {
        const { schema, example } = description["x-webhooks"][topic].post.requestBody.content["application/json"];
        const named = description.components.schemas[schema.$ref.replace("#/components/schemas/", "")];
        expect(named.required).to.have.members(["id", "topic", "shopId", "createdAt", "data"]);
        expect(named.properties.topic.enum).to.deep.equal([topic]);
        expect(named.additionalProperties).to.equal(false);
        expect(example.topic).to.equal(topic);
        const { data } = named.properties;
        expect(data.additionalProperties).to.equal(false);
        expect(data.required).to.have.members(Object.keys(data.properties));
        expect(example.data).to.have.keys(data.required);
        for (const property of Object.values<Json>(data.properties))
          expect(property.description, topic).to.be.a("string");
      }
    });

    it("has the bodies of all topics as one union, discriminated by topic", () => {
      const { oneOf, discriminator } = description.components.schemas.WebhookEvent;
      expect(discriminator.propertyName).to.equal("topic");
      expect(discriminator.mapping).to.have.keys(TOPICS);
      const references = oneOf.map(({ $ref }: Json) => $ref);
      expect(Object.values(discriminator.mapping)).to.deep.equal(references);
      for (const topic of TOPICS) {
        const { schema } = description["x-webhooks"][topic].post.requestBody.content["application/json"];
        expect(discriminator.mapping[topic]).to.equal(schema.$ref);
      }
    });

    it("lists the headers of deliveries, and which of them are optional", () => {
      const secrets = { active: "whsec_", valid: [] };
      const signed = Object.keys(signDelivery({ secrets, eventId: "evt_1", body: "", at: new Date() }));
      for (const topic of TOPICS) {
        const { parameters } = description["x-webhooks"][topic].post;
        const [always, sometimes] = [true, false].map((isRequired) =>
          parameters
            .filter(({ required }: Json) => required === isRequired)
            .map(({ name }: Json) => name.toLowerCase()),
        );
        expect(always).to.have.members([...signed, "x-webhook-topic"]);
        const changed = topic.endsWith(".updated") ? ["x-webhook-changed"] : [];
        expect(sometimes).to.deep.equal(["x-webhook-test", ...changed, "x-webhook-actor"]);
      }
    });

    it("has examples that match its own schemas", () => {
      const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
      ajv.addSchema(description, "openapi");
      const examples = [...findExamples(description, "")];
      for (const { pointer, value } of examples) {
        const validate = ajv.compile({ $ref: `openapi#${pointer}` });
        validate(value);
        expect(ajv.errorsText(validate.errors), `${pointer}: ${JSON.stringify(value)}`).to.equal("No errors");
      }
      const examined = examples.map(({ pointer }) => pointer);
      expect(examined.filter((pointer) => pointer.startsWith("/x-webhooks"))).to.have.length(TOPICS.length);
      expect(examined.filter((pointer) => pointer.startsWith("/paths")).length).to.be.greaterThan(40);
    });
  });

  it("describes bodies that the service accepts", async () => {
    const world = await openWorld(server);
    const create = description.paths["/api/v1/{shopId}/products"].post;
    const { example } = create.requestBody.content["application/json"];
    expect((await world.call("POST", "/products", { body: example })).status).to.equal(201);
  });
});

interface Example {
  /** The place of the example's schema. */
  pointer: string;
  value: unknown;
}

/** Every `example` and `examples` beside a `schema`, and those of schemas themselves. */
function* findExamples(node: Json, pointer: string): Generator<Example> {
  if (typeof node !== "object" || node === null) return;
  const isSchema = node.schema === undefined;
  const schema = isSchema ? pointer : `${pointer}/schema`;
  if ("example" in node) yield { pointer: schema, value: node.example };
  for (const { value } of Object.values<Json>(node.examples ?? {})) yield { pointer: schema, value };
  for (const [name, child] of Object.entries(node)) {
    if (name === "example" || name === "examples") continue;
    yield* findExamples(child, `${pointer}/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`);
  }
}
