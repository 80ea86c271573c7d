import { z } from "zod";
import type { Gateway } from "../core/gateway.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../core/idempotency/run-idempotent.ts";
import { text } from "../core/model/text.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import { cursorParameter, wholeNumber } from "../rest/pagination.ts";
import { checkNumbers, parseAs } from "../rest/read-input.ts";
import { prepareRoute, type InputSource, type Route } from "../rest/route.ts";
import { annotate, IDEMPOTENCY_KEY, MAX_ROWS, NEXT_PAGE, RETRIES, type Tool, type ToolCall } from "./tool.ts";

type Json = Record<string, unknown>;

const keySchema = z.object({
  [IDEMPOTENCY_KEY]: text({ min: 1, max: MAX_IDEMPOTENCY_KEY_LENGTH }).meta({ description: RETRIES }),
});

const rows = {
  limit: wholeNumber.pipe(z.int().min(1).max(MAX_ROWS)).default(MAX_ROWS),
  cursor: cursorParameter.optional().meta({ description: NEXT_PAGE }),
};

/** Makes a tool of each route of the merchant API. */
export function routeTools(routes: readonly Route[], gateway: Gateway): Tool[] {
  return routes.map((route) => toolOf(route, gateway));
}

function toolOf(given: Route, gateway: Gateway): Tool {
  const { page, ...parameters } = given.query.shape;
  const query = page ? z.strictObject({ ...parameters, ...rows }) : given.query;
  const route: Route = { ...given, query };
  const run = prepareRoute(route, gateway);
  return {
    kind: "apiKey",
    permission: route.permission,
    definition: describe(route),
    run: async (call) => {
      const source = sourceOf(route, call);
      addRequestFacts({ route: route.path, tool: { method: route.method, path: source.path, status: route.status } });
      const { body, isReplay, nextCursor } = await run(call.caller, source, call.ticket);
      return { ...body, ...(route.nextCursor && { nextCursor }), ...(route.body && { replayed: isReplay }) };
    },
  };
}

/** The name of the id in a route's path. */
function idName({ path }: Route): string | undefined {
  return /\{(\w+)\}/.exec(path)?.[1];
}

/** The input of a route from the arguments of a call. */
function sourceOf(route: Route, { shopId, arguments: given, text: message }: ToolCall): InputSource {
  const name = idName(route);
  const { [name ?? ""]: id, [IDEMPOTENCY_KEY]: _key, ...fields } = given;
  return {
    shopId,
    path: `/api/v1/${shopId}${route.path.replace(/\{\w+\}/, encodeURIComponent(String(id).toWellFormed()))}`,
    readId: () =>
      name ? parseAs("query", z.object({ [name]: text({ min: 1, max: 100 }) }), { [name]: id })[name]! : "",
    readQuery: (schema) => parseAs("query", schema, route.body ? {} : withTexts(fields)),
    readIdempotencyKey: () => parseAs("body", keySchema, given)[IDEMPOTENCY_KEY],
    readBody: (schema, check) => parseAs("body", schema, fields, [...checkNumbers(message, fields), ...check(fields)]),
  };
}

/** Numbers as the texts that they are in a query string. */
function withTexts(fields: Json): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "number" ? String(value) : value]),
  );
}

function describe(route: Route): Tool["definition"] {
  const { method, operationId, summary, description, query, body, response } = route;
  const name = idName(route);
  const parameters = z.toJSONSchema(query, { io: "output" }).properties;
  const fields = body && z.toJSONSchema(body.extend(keySchema.shape), { io: "input" });
  const answer = response.extend({
    ...(route.nextCursor && { nextCursor: z.string().nullable() }),
    ...(body && { replayed: z.boolean() }),
  });
  return {
    name: operationId,
    title: summary,
    description,
    inputSchema: {
      type: "object",
      properties: { ...(name && { [name]: { type: "string" } }), ...parameters, ...fields?.properties },
      required: [...(name ? [name] : []), ...(fields?.required ?? [])],
      additionalProperties: false,
    } as Tool["definition"]["inputSchema"],
    outputSchema: describeAnswer(answer),
    annotations: annotate({ isRead: method === "GET", isOpenWorld: false }),
  };
}

/** Members of a schema that a reader of answers needs. The others would fill a third of a model's list of tools. */
const SHOWN = new Set(["type", "properties", "required", "items", "enum", "anyOf", "$ref", "$defs"]);

function describeAnswer(schema: z.ZodType): Tool["definition"]["outputSchema"] {
  const described = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      for (const member of Object.keys(jsonSchema)) if (!SHOWN.has(member)) delete jsonSchema[member as never];
    },
  });
  const { $schema: _schema, id: _id, ...shown } = described;
  return shown as never;
}
