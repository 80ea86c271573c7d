import { z } from "zod";
import type { Gateway } from "../core/gateway.ts";
import { text } from "../core/model/text.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import { checkNumbers, parseAs } from "../rest/read-input.ts";
import { prepareRoute, type InputSource, type Route } from "../rest/route.ts";
import {
  annotate,
  cutTexts,
  describeSchema,
  keySchema,
  readPage,
  rows,
  type Json,
  type Tool,
  type ToolCall,
} from "./tool.ts";

/** Makes a tool of each route of the merchant API. */
export function routeTools(routes: readonly Route[], gateway: Gateway): Tool[] {
  return routes.map((route) => toolOf(route, gateway));
}

function toolOf(given: Route, gateway: Gateway): Tool {
  const { page, ...parameters } = given.query.shape;
  const route: Route = { ...given, query: page ? z.strictObject({ ...parameters, ...rows }) : given.query };
  const isList = route.nextCursor !== undefined;
  // Three lists at once would delay other shops by their work on the one thread.
  const run = prepareRoute(route, gateway, () => isList);
  return {
    kind: "apiKey",
    permission: route.permission,
    definition: describe(route),
    run: async (call) => {
      const source = sourceOf(route, call);
      addRequestFacts({ route: route.path, tool: { method: route.method, path: source.path, status: route.status } });
      const read = async (limit?: number): Promise<Json> => {
        const { body, isReplay, nextCursor } = await run(call.caller, source, call.ticket, limit);
        return { ...body, ...(isList && { nextCursor }), ...(route.body && { replayed: isReplay }) };
      };
      return isList ? readPage(read) : cutTexts(await read());
    },
  };
}

/** The argument with the id in a route's path, if it has one. */
function idOf({ path }: Route): { name: string; schema: z.ZodObject } {
  const [, name = ""] = /\{(\w+)\}/.exec(path) ?? [];
  return { name, schema: z.object(name ? { [name]: text({ min: 1, max: 100 }) } : {}) };
}

/** The input of a route from the arguments of a call. */
function sourceOf(route: Route, { shopId, arguments: given, message }: ToolCall): InputSource {
  const { name, schema: idSchema } = idOf(route);
  const { [name]: id, idempotencyKey: _key, ...fields } = given;
  return {
    shopId,
    path: `/api/v1/${shopId}${route.path.replace(/\{\w+\}/, encodeURIComponent(String(id).toWellFormed()))}`,
    readId: () => String(parseAs("query", idSchema, given)[name] ?? ""),
    readQuery: (schema) => parseAs("query", schema, route.body ? {} : fields),
    readIdempotencyKey: () => parseAs("body", keySchema, given).idempotencyKey,
    readBody: (schema, check) => parseAs("body", schema, fields, [...checkNumbers(message, fields), ...check(fields)]),
  };
}

function describe(route: Route): Tool["definition"] {
  const { method, operationId, summary, description, query, body, response } = route;
  const input = { ...idOf(route).schema.shape, ...query.shape, ...body?.shape, ...(body && keySchema.shape) };
  const answer = response.extend({
    ...(route.nextCursor && { nextCursor: z.string().nullable() }),
    ...(body && { replayed: z.boolean() }),
  });
  return {
    name: operationId,
    title: summary,
    description,
    inputSchema: describeSchema(z.strictObject(input)),
    outputSchema: describeSchema(answer, shorten),
    annotations: annotate(method === "GET"),
  };
}

/** Members of a schema that a reader of answers needs. The others would fill a third of a model's list of tools. */
const SHOWN = new Set(["type", "properties", "required", "items", "enum", "anyOf", "$ref", "$defs"]);

function shorten({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  for (const member of Object.keys(jsonSchema)) if (!SHOWN.has(member)) delete jsonSchema[member];
}
