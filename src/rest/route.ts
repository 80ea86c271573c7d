import type { DocumentNode, GraphQLSchema } from "graphql";
import type { Context, Middleware } from "koa";
import type { z } from "zod";
import type { CoreServices } from "../core/context.ts";
import { createContext } from "../core/context.ts";
import type { KeyDirectory } from "../core/credentials/key-directory.ts";
import { compileDocument } from "../core/execute.ts";
import { requirePermission, type Permission } from "../core/permissions.ts";
import type { Shop } from "../core/shops/shop.entity.ts";
import { AppError, invalidInput, type InputIssue } from "../platform/errors.ts";
import type { TadaDocumentNode } from "./graphql.ts";
import { pageLinks, type Pagination } from "./pagination.ts";
import { readApiKey, readBody, readIdempotencyKey, readQuery, unauthorized } from "./read-input.ts";
import { sendJson } from "./send.ts";

/** What a request says, read and checked. */
interface RouteInput<Query, Body> {
  shopId: string;
  /** The identifier in the path; empty for routes without one. */
  id: string;
  query: Query;
  body: Body;
  idempotencyKey: string | undefined;
}

/** One route of the specification: how to read it, the one document that it runs, and its answer. */
export interface RouteDefinition<
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Response extends z.ZodObject,
  Data,
  Variables,
> {
  method: "GET" | "POST";
  /** Below the shop, such as `/products/{productId}`. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  tag: string;
  permission: Permission;
  /** What a 404 names. "Shop" for routes that are not about one resource. */
  resource: "Shop" | "Product" | "Order" | "Customer";
  query: Query;
  body?: Body;
  /** What is wrong with a body in this shop that the schema cannot know. The body may be invalid otherwise. */
  checkBody?: (body: Record<string, unknown>, shop: Shop) => InputIssue[];
  bodyExample?: z.input<Body>;
  document: TadaDocumentNode<Data, Variables>;
  variables: (input: RouteInput<z.output<Query>, z.output<Body>>) => Variables;
  status: 200 | 201;
  response: Response;
  responseExample: z.output<Response>;
  /** The answer's body; null when there is no such resource. */
  shape: (data: Data, input: RouteInput<z.output<Query>, z.output<Body>>) => z.output<Response> | null;
  /** Path of what was created, below the shop. */
  location?: (response: z.output<Response>) => string;
}

/** A route whose own types were checked where it was defined. */
export type Route = RouteDefinition<z.ZodObject, z.ZodObject, z.ZodObject, never, never>;

export function defineRoute<
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Response extends z.ZodObject,
  Data,
  Variables,
>(definition: RouteDefinition<Query, Body, Response, Data, Variables>): Route {
  return definition as unknown as Route;
}

/** The header of an answer that was given before. */
export const REPLAYED = "Idempotent-Replayed";

export interface RouteServices {
  core: CoreServices;
  keys: KeyDirectory;
  schema: GraphQLSchema;
}

/** The steps that every request takes: 401 key, 404 shop, 403 plan and scope, 400 input, 404 id. */
export function handleRoute(route: Route, services: RouteServices): Middleware {
  const run = compileDocument(services.schema, route.document as unknown as DocumentNode);
  return async (ctx) => {
    ctx.set("Cache-Control", "private, no-cache");
    const actor = await services.keys.findActor(readApiKey(ctx.req));
    if (!actor) throw unauthorized();

    const { shopId = "", id = "" } = ctx.params as Record<string, string>;
    const membership = actor.memberships.get(shopId);
    if (!membership) throw notFound(route);
    requirePermission(actor, shopId, route.permission);

    const input = await readInput(ctx, route, { shopId, id }, membership.shop);
    const context = createContext(services.core, actor);
    const data = await run(route.variables(input as never), context);
    const response = route.shape(data as never, input as never) as Record<string, unknown> | null;
    if (!response) throw notFound(route);

    if (context.replays.length > 0) ctx.set(REPLAYED, "true");
    if (route.location) ctx.set("Location", `/api/v1/${shopId}${route.location(response as never)}`);
    if ("pagination" in response)
      ctx.set("Link", pageLinks(ctx.path, ctx.querystring, response.pagination as Pagination));
    await sendJson(ctx, route.status, response);
  };
}

/** Names everything that is wrong, in whichever part of the request. */
async function readInput(
  ctx: Context,
  route: Route,
  path: { shopId: string; id: string },
  shop: Shop,
): Promise<RouteInput<unknown, unknown>> {
  const { body: schema, checkBody } = route;
  const issues: InputIssue[] = [];
  const collect = async <Value>(read: () => Value | Promise<Value>): Promise<Value | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AppError) || !error.issues) throw error;
      issues.push(...error.issues);
      return undefined;
    }
  };
  const query = await collect(() => readQuery(ctx.querystring, route.query));
  const idempotencyKey = await collect(() => (schema ? readIdempotencyKey(ctx.req) : undefined));
  const body = await collect(() => schema && readBody(ctx, schema, (value) => checkBody?.(value, shop) ?? []));
  if (issues.length > 0) throw invalidInput(issues);
  return { ...path, query, idempotencyKey, body };
}

function notFound(route: Route): AppError {
  return new AppError("NOT_FOUND", `${route.resource} not found`);
}
