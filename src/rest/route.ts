import type { DocumentNode } from "graphql";
import type { Context, Middleware } from "koa";
import type { z } from "zod";
import { isSlowToFind } from "../core/model/page.ts";
import { unlimited } from "../core/context.ts";
import type { Access, Gateway } from "../core/gateway.ts";
import type { Caller, Permission } from "../core/model/permissions.ts";
import { AppError, invalidInput, type InputIssue } from "../core/model/errors.ts";
import type { TadaDocumentNode } from "./typed-document.ts";
import {
  pageLinks,
  findPosition,
  toCursor,
  type Pagination,
  type ListParameters,
  type Position,
} from "./pagination.ts";
import { authenticate } from "../middleware/authenticate.ts";
import { readBody, readIdempotencyKey, readQuery } from "./read-input.ts";
import type { Currency } from "../platform/money.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import type { TenantCache } from "../platform/overload/tenants.ts";
import { COSTLY, ticketOf, type Ticket } from "../platform/overload/permits.ts";
import { sendJson } from "../platform/http/send.ts";

/** The checked input of a request. */
interface RouteInput<Query, Body> {
  shopId: string;
  /** The id in the path. Empty for routes without one. */
  id: string;
  query: Query;
  /** The requested page of a list. */
  position: Position;
  body: Body;
  idempotencyKey: string | undefined;
}

/** A route of the specification: its input, its fixed document and its response. */
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
  /** The noun of a 404. "Shop" for routes that are not about one resource. */
  resource: "Shop" | "Product" | "Order" | "Customer";
  query: Query;
  body?: Body;
  /** Checks a body against the shop's currency, beyond the schema. The body may not fit the schema. */
  checkBody?: (body: Record<string, unknown>, currency: Currency) => InputIssue[];
  bodyExample?: z.input<Body>;
  document: TadaDocumentNode<Data, Variables>;
  variables: (input: RouteInput<z.output<Query>, z.output<Body>>) => Variables;
  status: 200 | 201;
  response: Response;
  responseExample: z.output<Response>;
  /** The response body. Null if the record does not exist. */
  shape: (data: Data, input: RouteInput<z.output<Query>, z.output<Body>>) => z.output<Response> | null;
  /** The core's cursor of the next page. Null on the last page. */
  nextCursor?: (data: Data) => string | null;
  /** The path of the created record, below the shop. */
  location?: (response: z.output<Response>) => string;
}

/** A route whose types were checked at its definition. */
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

export interface RestOptions {
  gateway: Gateway;
  tenants: TenantCache;
  /** The public address, with which links begin. */
  baseUrl: string;
}

/** The header of a replayed response. */
export const REPLAYED = "Idempotent-Replayed";

type Input = RouteInput<ListParameters, unknown>;

/** Reads the parts of a route's input. Each function throws AppError VALIDATION_FAILED. */
export interface InputSource {
  shopId: string;
  /** The path of the request, to which cursors belong. */
  path: string;
  readId: () => string;
  readQuery: (schema: z.ZodObject) => unknown;
  readIdempotencyKey: () => string | undefined;
  readBody: (schema: z.ZodObject, check: (body: Record<string, unknown>) => InputIssue[]) => unknown;
}

/** A route's answer, before it is sent. */
export interface RouteAnswer {
  body: Record<string, unknown>;
  isReplay: boolean;
  /** The `cursor` of the next page. Null for the last page, and for routes that list nothing. */
  nextCursor: string | null;
}

/**
 * Runs a route for a caller, in the order of its possible errors: 404 for the shop, 403, 400, 404 for the id. `limit`
 * reads fewer rows of a list than its input asks for.
 */
export type RunRoute = (caller: Caller, source: InputSource, ticket: Ticket, limit?: number) => Promise<RouteAnswer>;

export function prepareRoute(route: Route, gateway: Gateway, isSlow = isSlowToFind): RunRoute {
  const run = gateway.prepare(route.document as unknown as DocumentNode);
  return async (caller, source, ticket, limit) => {
    const access = gateway.authorize(caller, source.shopId, route.permission);
    if (!access) throw notFound(route);
    const input = readInput(source, route, access);
    const asked = limit === undefined ? input : { ...input, query: { ...input.query, limit } };
    const variables: object = route.variables(asked as never);
    if (isSlow(variables)) await ticket.takePermits(COSTLY);
    const { data, isReplay } = await run(variables, access, unlimited);
    const body = route.shape(data as never, input as never) as RouteAnswer["body"] | null;
    if (!body) throw notFound(route);
    return { body, isReplay, nextCursor: cursorOf(source, input, route.nextCursor?.(data as never) ?? null) };
  };
}

/** Handles an HTTP request. An invalid key is its first possible error. */
export function handleRoute(route: Route, { gateway, tenants, baseUrl }: RestOptions): Middleware {
  const run = prepareRoute(route, gateway);
  return async (ctx) => {
    ctx.set("Cache-Control", "private, no-cache");
    addRequestFacts({ route: route.path });
    const caller = await authenticate(ctx, (...credential) => gateway.authenticate(...credential), tenants);
    const { body, isReplay, nextCursor } = await run(caller, sourceOf(ctx), ticketOf(ctx));
    if (isReplay) ctx.set(REPLAYED, "true");
    if (route.location) ctx.set("Location", `/api/v1/${pathOf(ctx).shopId}${route.location(body as never)}`);
    if (route.nextCursor) {
      const target = { url: baseUrl + ctx.path, querystring: ctx.querystring };
      ctx.set("Link", pageLinks(target, body.pagination as Pagination, nextCursor));
    }
    await sendJson(ctx, route.status, body);
  };
}

function sourceOf(ctx: Context): InputSource {
  const { shopId, id } = pathOf(ctx);
  return {
    shopId,
    path: ctx.path,
    readId: () => id,
    readQuery: (schema) => readQuery(ctx.querystring, schema),
    readIdempotencyKey: () => readIdempotencyKey(ctx.req),
    readBody: (schema, check) => readBody(ctx, schema, check),
  };
}

function cursorOf({ path }: InputSource, { query, position }: Input, after: string | null): string | null {
  return after && toCursor(path, query, { page: position.page + 1, after });
}

function pathOf(ctx: Context): { shopId: string; id: string } {
  const { shopId = "", id = "" } = ctx.params as Record<string, string>;
  return { shopId, id };
}

/** Reads the input, and lists the mistakes of all its parts. */
function readInput(source: InputSource, route: Route, { currency }: Access): Input {
  const { body: schema, checkBody } = route;
  const { shopId, path } = source;
  const issues: InputIssue[] = [];
  const collect = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof AppError) || !error.issues) throw error;
      issues.push(...error.issues);
      return undefined;
    }
  };
  const id = collect(source.readId);
  const query = collect(() => source.readQuery(route.query) as ListParameters);
  const position = collect(() => query && findPosition(path, query));
  const idempotencyKey = collect(() => (schema ? source.readIdempotencyKey() : undefined));
  const body = collect(() => schema && source.readBody(schema, (value) => checkBody?.(value, currency) ?? []));
  if (issues.length > 0) throw invalidInput(issues);
  return { shopId, id: id!, query: query!, position: position!, idempotencyKey, body };
}

function notFound(route: Route): AppError {
  return new AppError("NOT_FOUND", `${route.resource} not found`);
}
