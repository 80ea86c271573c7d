import { z } from "zod";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../core/idempotency/run-idempotent.ts";
import { IDEMPOTENCY_RULES } from "../core/mutations/operation-arguments.ts";
import { MAX_REQUESTS_IN_FLIGHT } from "../platform/overload/gate.ts";
import { scopeFor, scopeHint } from "../core/access/permissions.ts";
import type { Scope } from "../core/model/permissions.ts";
import { SERVICE_UNAVAILABLE } from "../core/model/errors.ts";
import { errorSchema, type ErrorBody } from "../middleware/errors.ts";
import { MAX_BODY_BYTES } from "../platform/http/request-body.ts";
import { REPLAYED, type Route } from "./route.ts";
import { examples, schemaPath } from "./schemas.ts";
import { describeWebhooks } from "./openapi-webhooks.ts";

type Json = Record<string, unknown>;

/** Generates the OpenAPI document from the routes and schemas that also handle requests. */
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
      // Of REST v1, whose contract stays the same. Releases have their own.
      version: "1.0.0",
      description: [
        "Read and create products, and read orders and customers, from your server. Webhooks notify you of every change: see `x-webhooks` in this document.",
        'Lists are paginated. To read a whole list, follow the `rel="next"` link in each `Link` header. You get no duplicates and no gaps, even while records are created or deleted.',
        `A shop can have up to ${MAX_REQUESTS_IN_FLIGHT} requests in flight, across all its keys and staff. Further requests may fail with 503: wait for the seconds in \`Retry-After\`, then retry.`,
      ].join("\n\n"),
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearerAuth: [] }, { serviceAccessToken: [] }],
    tags: [
      { name: "Products", description: "The products of the shop." },
      { name: "Orders", description: "The orders of the shop." },
      { name: "Customers", description: "The customers of the shop." },
      { name: "Meta", description: "The OpenAPI document." },
      { name: "Webhooks", description: "The events that webhook endpoints receive." },
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
    summary: "Retrieve the OpenAPI document",
    description: "The OpenAPI 3.0.3 document of this API. Needs no API key. Browsers can read it from any origin.",
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
      // Not "4XX", because client generators do not support ranges.
      400: describeError("The request is malformed.", [{ error: "Bad Request" }]),
    },
  };
}

function describeRoute(route: Route): Json {
  const scope = scopeFor(route.permission);
  const isList = "pagination" in route.response.shape;
  const success = {
    description: route.status === 201 ? "Created." : "Success.",
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
    description: `${route.description}\n\nRequires the scope \`${scope}\`.`,
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
      description: `The ID of the ${name.replace(/Id$/, "")}.`,
      schema: { type: "string" },
      example: pathExamples[name],
    })),
    // Without examples, like the header below: clients that import the document would send them with each request.
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
            description: `${IDEMPOTENCY_RULES} A replayed response has the header \`Idempotent-Replayed: true\`. Example: \`erp-article-4711\`.`,
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
    403: describeError("The shop's plan or the API key does not allow this request.", [
      {
        error: "Plan does not allow this scope",
        hint: scopeHint(scope),
      },
      {
        error: "API key does not have the required scope",
        hint: `This request requires the scope ${scope}. The scopes of a key cannot be changed: create a key with this scope.`,
      },
    ]),
    404: describeError("The record does not exist in this shop, or the API key belongs to another shop.", [
      { error: `${route.resource} not found` },
    ]),
    ...(route.body && {
      409: describeError(
        "A request with this Idempotency-Key is still being processed.",
        [{ error: "A request with this Idempotency-Key is still being processed" }],
        ["Retry-After"],
      ),
      413: describeError("The body is too large.", [{ error: `Request body must be at most ${MAX_BODY_BYTES} bytes` }]),
      415: describeError("The body is not JSON.", [
        { error: "Content-Type must be application/json, without Content-Encoding" },
      ]),
    }),
    500: describeError("An internal error. Nothing was changed.", [{ error: "Internal server error" }]),
    503: describeError(
      `Too many requests: a shop can have up to ${MAX_REQUESTS_IN_FLIGHT} in flight. Or the shop is temporarily closed, or the service is unavailable. Wait for the seconds in \`Retry-After\`, then retry${route.body ? " with the same `Idempotency-Key`" : ""}.`,
      [
        { error: "Too many requests at once", hint: "Retry shortly." },
        { error: "The shop is temporarily closed", hint: "Retry later." },
        { error: SERVICE_UNAVAILABLE },
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
  description: "The response has not changed.",
  headers: headerRefs("X-Request-Id", "ETag"),
};

const headers = {
  [REPLAYED]: {
    description: "Present only if this is the response to an earlier request with the same Idempotency-Key.",
    required: false,
    schema: { type: "string", enum: ["true"] },
  },
  "X-Request-Id": { description: "The ID of the request in the service's log.", schema: { type: "string" } },
  ETag: {
    description: "Send it as If-None-Match to check whether the response has changed.",
    schema: { type: "string" },
  },
  Link: {
    description:
      "URLs of the first, previous, next and last page (RFC 8288). The `next` link has a `cursor` and is absent on the last page. The other links have a `page`.",
    schema: { type: "string" },
  },
  Location: { description: "The path of the created record.", schema: { type: "string" } },
  "Retry-After": { description: "The number of seconds to wait before retrying.", schema: { type: "integer" } },
  "WWW-Authenticate": { description: "The authentication scheme to use.", schema: { type: "string" } },
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

/** Every named schema. */
function describeSchemas(): Json {
  // "input" describes what a client may send: fields with a default are optional. Responses have none.
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
 * Describes a default in words, because openapi-typescript makes a property with a `default` required:
 * https://openapi-ts.dev/cli#flags, --default-non-nullable.
 */
function describeDefault(schema: { default?: unknown; description?: string }): void {
  if (!("default" in schema)) return;
  const sentence = `Default: \`${JSON.stringify(schema.default)}\`.`;
  schema.description = schema.description ? `${schema.description} ${sentence}` : sentence;
  delete schema.default;
}
