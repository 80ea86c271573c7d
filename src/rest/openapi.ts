import { z } from "zod";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../core/idempotency/run-idempotent.ts";
import { IDEMPOTENCY_RULES } from "../core/schema/operation-arguments.ts";
import { MAX_REQUESTS_IN_FLIGHT } from "../platform/overload/gate.ts";
import { scopeFor, scopeHint } from "../core/access/permissions.ts";
import type { Scope } from "../core/model/permissions.ts";
import { errorSchema, type ErrorBody } from "./errors.ts";
import { MAX_BODY_BYTES } from "../platform/http/request-body.ts";
import { REPLAYED, type Route } from "./route.ts";
import { examples, schemaPath } from "./schemas.ts";
import { describeWebhooks } from "./openapi-webhooks.ts";

type Json = Record<string, unknown>;

/** The OpenAPI document of the routes: the same table and schemas that read requests and shape answers. */
export function describeApi(routes: readonly Route[], baseUrl: string): Json {
  const paths: Record<string, Json> = {
    "/api/v1/openapi.json": { get: describeOwnRoute() },
  };
  for (const route of routes) {
    const path = `/api/v1/{shopId}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  const webhooks = describeWebhooks();
  return {
    openapi: "3.0.3",
    info: {
      title: "Merchant API",
      version: "1.0.0",
      description: [
        "Products, orders and customers of one shop, server to server. Every change is also sent to webhook endpoints: see `x-webhooks`.",
        'Lists come in pages. To read a whole list, follow the `rel="next"` link of each `Link` header. Records that others create or delete meanwhile cause no duplicates and no gaps.',
        `A shop may have up to ${MAX_REQUESTS_IN_FLIGHT} requests in flight, of all its keys and staff together. The API refuses more with 503: wait for the seconds in \`Retry-After\`, then send the request again.`,
      ].join("\n\n"),
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearerAuth: [] }, { serviceAccessToken: [] }],
    tags: [
      { name: "Products", description: "What the shop sells." },
      { name: "Orders", description: "What the shop sold." },
      { name: "Customers", description: "The people who buy from the shop." },
      { name: "Meta", description: "This document." },
      { name: "Webhooks", description: "What the shop's webhook endpoints receive." },
    ],
    paths,
    "x-webhooks": webhooks,
    components: {
      securitySchemes: {
        bearerAuth: { type: "http", scheme: "bearer", description: "`Authorization: Bearer sk_live_…`" },
        serviceAccessToken: { type: "apiKey", in: "header", name: "X-Service-Access-Token" },
      },
      headers,
      schemas: describeSchemas(),
    },
  };
}

function describeOwnRoute(): Json {
  return {
    operationId: "getOpenApi",
    summary: "Retrieve this document",
    description: "The OpenAPI 3.0.3 description of the API. Public, and readable from a browser.",
    tags: ["Meta"],
    security: [],
    responses: {
      200: {
        description: "The document.",
        headers: {
          ...headerRefs("X-Request-Id", "ETag"),
          "Access-Control-Allow-Origin": { schema: { type: "string", enum: ["*"] } },
        },
        content: { "application/json": { schema: { type: "object" }, example: { openapi: "3.0.3" } } },
      },
      304: notModified,
      // Not "4XX": client generators trip over ranges.
      400: describeError("The request is malformed.", [{ error: "Bad Request" }]),
    },
  };
}

function describeRoute(route: Route): Json {
  const scope = scopeFor(route.permission);
  const isList = "pagination" in route.response.shape;
  const success = {
    description: route.status === 201 ? "Created." : "Found.",
    headers: headerRefs(
      "X-Request-Id",
      ...(route.status === 201 ? ["Location"] : ["ETag"]),
      ...(isList ? ["Link"] : []),
      ...(route.body ? [REPLAYED] : []),
    ),
    content: { "application/json": { schema: refOf(route.response), example: route.responseExample } },
  };
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: `${route.description}\n\nNeeds the scope \`${scope}\`.`,
    tags: [route.tag],
    parameters: describeParameters(route),
    ...(route.body && { requestBody: describeBody(route) }),
    responses: { [route.status]: success, ...describeErrors(route, scope!) },
  };
}

function describeBody(route: Route): Json {
  return {
    required: true,
    description: `At most ${MAX_BODY_BYTES} bytes.`,
    content: { "application/json": { schema: refOf(route.body!), example: route.bodyExample } },
  };
}

const pathExamples: Record<string, string> = {
  shopId: examples.shop,
  productId: examples.prod,
  orderId: examples.ord,
  customerId: examples.cus,
};

function describeParameters(route: Route): Json[] {
  const inPath = ["shopId", ...[...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)];
  const { properties = {} } = toOpenApi(route.query, "output") as { properties?: Record<string, Json> };
  return [
    ...inPath.map((name) => ({
      name,
      in: "path",
      required: true,
      description: `The identifier of the ${name.replace(/Id$/, "")}.`,
      schema: { type: "string" },
      example: pathExamples[name],
    })),
    // Without examples, as the header below: clients that import the document send those with each request.
    ...Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: "query",
      required: false,
      description,
      schema,
    })),
    ...(route.body
      ? [
          {
            name: "Idempotency-Key",
            in: "header",
            required: false,
            description: `${IDEMPOTENCY_RULES} A replayed answer carries \`Idempotent-Replayed: true\`. Such as \`erp-article-4711\`.`,
            schema: { type: "string", minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
          },
        ]
      : []),
  ];
}

function describeErrors(route: Route, scope: Scope): Json {
  const part = route.body ? "body" : "query";
  const path = route.body ? "price" : "page";
  const detail = { in: part, path, code: "too_small", message: "Must be at least 1" } as const;
  return {
    ...(route.method === "GET" && { 304: notModified }),
    400: describeError("The query, a header or the body is invalid. Nothing was changed.", [
      { error: "Validation error", details: [detail] },
    ]),
    401: describeError(
      "The API key is missing or invalid.",
      [{ error: "Unauthorized" }, { error: "Unauthorized", hint: "The API key looks mistyped or cut short." }],
      ["WWW-Authenticate"],
    ),
    403: describeError("The plan or the API key does not allow this.", [
      {
        error: "Plan does not allow this scope",
        hint: scopeHint(scope),
      },
      {
        error: "API key does not have the required scope",
        hint: `This request needs the scope ${scope}. Scopes of a key cannot be changed: create a key that has it.`,
      },
    ]),
    404: describeError("Not in this shop, or not this key's shop.", [{ error: `${route.resource} not found` }]),
    ...(route.body && {
      409: describeError(
        "A request with this Idempotency-Key is still being processed.",
        [{ error: "A request with this Idempotency-Key is still being processed" }],
        ["Retry-After"],
      ),
      413: describeError("The body is too large.", [{ error: `Request body must be at most ${MAX_BODY_BYTES} bytes` }]),
      415: describeError("The body is not JSON.", [
        { error: "Content-Type must be application/json, without content encoding" },
      ]),
    }),
    500: describeError("A fault of the service. Nothing was changed.", [{ error: "Internal server error" }]),
    503: describeError(
      `Too many requests at once: a shop may have up to ${MAX_REQUESTS_IN_FLIGHT} in flight. Or the shop is closed for a while, or the service is unavailable. Wait for the seconds in \`Retry-After\`, then send the request again${route.body ? ", with the same `Idempotency-Key`" : ""}.`,
      [
        { error: "Too many requests at once", hint: "Send this one again in a moment." },
        { error: "The shop is closed for a while", hint: "Send this one again later." },
        { error: "Service unavailable" },
      ],
      ["Retry-After"],
    ),
  };
}

function describeError(description: string, bodies: ErrorBody[], more: string[] = []): Json {
  const shown = Object.fromEntries(bodies.map((value, index) => [`example${index + 1}`, { value }]));
  return {
    description,
    headers: headerRefs("X-Request-Id", ...more),
    content: { "application/json": { schema: refOf(errorSchema), examples: shown } },
  };
}

const notModified = {
  description: "The client has the current representation.",
  headers: headerRefs("X-Request-Id", "ETag"),
};

const headers = {
  [REPLAYED]: {
    description: "Sent only with the first answer to an earlier request that had the same Idempotency-Key.",
    required: false,
    schema: { type: "string", enum: ["true"] },
  },
  "X-Request-Id": { description: "Names this request in the service's log.", schema: { type: "string" } },
  ETag: { description: "Send it as If-None-Match to learn whether anything changed.", schema: { type: "string" } },
  Link: {
    description:
      "The first, previous, next and last page (RFC 8288). `next` has a `cursor`, and is absent on the last page; the others have a `page`.",
    schema: { type: "string" },
  },
  Location: { description: "Path of what was created.", schema: { type: "string" } },
  "Retry-After": { description: "Seconds after which to try again.", schema: { type: "integer" } },
  "WWW-Authenticate": { description: "The scheme to authenticate with.", schema: { type: "string" } },
};

function headerRefs(...names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function refOf(schema: z.ZodType): Json {
  return { $ref: schemaPath(z.globalRegistry.get(schema)!.id!) };
}

function toOpenApi(schema: z.ZodType, io: "input" | "output"): Json {
  return z.toJSONSchema(schema, { target: "openapi-3.0", io });
}

/** Every schema that has a name. */
function describeSchemas(): Json {
  // "input" is what a client may send: it leaves out defaults from what is required. Answers have none.
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    target: "openapi-3.0",
    io: "input",
    uri: schemaPath,
    override: ({ jsonSchema }) => describeDefault(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schema, $id: _uri, id: _id, ...schema }]) => [name, schema]),
  );
}

/**
 * Says a default in words. Of a property with a `default`, openapi-typescript makes one that must be given:
 * https://openapi-ts.dev/cli#flags, --default-non-nullable.
 */
function describeDefault(schema: { default?: unknown; description?: string }): void {
  if (!("default" in schema)) return;
  const sentence = `\`${JSON.stringify(schema.default)}\` unless given.`;
  schema.description = schema.description ? `${schema.description} ${sentence}` : sentence;
  delete schema.default;
}
