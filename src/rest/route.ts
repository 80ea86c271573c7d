import type { DocumentNode } from "graphql";
import type { Context, Middleware } from "koa";
import type { z } from "zod";
import { isSlowToFind } from "../core/model/page.ts";
import type { Access, Gateway } from "../core/gateway.ts";
import type { Caller, Permission } from "../core/model/permissions.ts";
import { AppError, invalidInput, type InputIssue } from "../core/model/errors.ts";
import type { TadaDocumentNode } from "./typed-document.ts";
import { pageLinks, findPosition, toCursor, type Pagination, type ListQuery, type Position } from "./pagination.ts";
import { readApiKey, readBody, readIdempotencyKey, readQuery } from "./read-input.ts";
import type { Currency } from "../platform/money.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import type { TenantCache } from "../platform/overload/tenants.ts";
import { COSTLY, ticketOf } from "../platform/overload/permits.ts";
import { sendJson } from "../platform/http/send.ts";
import type { RequestLog } from "../core/requests/request-log.sql.ts";
import type { AnsweredRequest } from "../platform/http/observe.ts";
import { maskSecrets } from "../platform/mask-secrets.ts";

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

type Input = RouteInput<ListQuery, unknown>;
type Answer = Record<string, unknown>;

/** Handles a request, in the order of its possible errors: 401, 404 for the shop, 403, 400, 404 for the id. */
export function handleRoute(route: Route, { gateway, tenants, baseUrl }: RestOptions): Middleware {
  const run = gateway.prepare(route.document as unknown as DocumentNode);
  return async (ctx) => {
    ctx.set("Cache-Control", "private, no-cache");
    addRequestFacts({ route: route.path });
    const caller = await authenticate(ctx, gateway, tenants);
    const access = gateway.authorize(caller, pathOf(ctx).shopId, route.permission);
    if (!access) throw notFound(route);
    const input = readInput(ctx, route, access);
    const variables: object = route.variables(input as never);
    const ticket = ticketOf(ctx);
    if (isSlowToFind(variables)) await ticket.takePermits(COSTLY);
    const { data, isReplay } = await run(variables, access, ticket.permits);
    const answer = shapeAnswer(route, data, input);
    setHeaders(ctx, route, answer, isReplay);
    if (route.nextCursor) {
      const target = { url: baseUrl + ctx.path, querystring: ctx.querystring };
      const links = pageLinks(
        target,
        answer.pagination as Pagination,
        cursorOf(ctx, input, route.nextCursor(data as never)),
      );
      ctx.set("Link", links);
    }
    await sendJson(ctx, route.status, answer);
  };
}

/**
 * Finds the caller of the API key, and remembers its shop as the tenant of the key. @throws AppError UNAUTHENTICATED
 */
async function authenticate(ctx: Context, gateway: Gateway, tenants: TenantCache): Promise<Caller> {
  const key = readApiKey(ctx.req);
  try {
    const caller = await gateway.authenticate(key);
    const [shopId] = caller.memberships.keys();
    if (shopId !== ticketOf(ctx).tenant.name) tenants.remember(key!, shopId);
    return caller;
  } catch (error) {
    if (key !== undefined && error instanceof AppError) tenants.forget(key);
    throw error;
  }
}

/** @throws AppError NOT_FOUND when the record does not exist */
function shapeAnswer(route: Route, data: unknown, input: Input): Answer {
  const answer = route.shape(data as never, input as never) as Answer | null;
  if (!answer) throw notFound(route);
  return answer;
}

function setHeaders(ctx: Context, route: Route, answer: Answer, isReplay: boolean): void {
  if (isReplay) ctx.set(REPLAYED, "true");
  if (route.location) ctx.set("Location", `/api/v1/${pathOf(ctx).shopId}${route.location(answer as never)}`);
}

function cursorOf(ctx: Context, { query, position }: Input, after: string | null): string | null {
  return after && toCursor(ctx.path, query, { page: position.page + 1, after });
}

function pathOf(ctx: Context): { shopId: string; id: string } {
  const { shopId = "", id = "" } = ctx.params as Record<string, string>;
  return { shopId, id };
}

/** Reads the input, and lists the mistakes of all its parts. */
function readInput(ctx: Context, route: Route, { currency }: Access): Input {
  const { body: schema, checkBody } = route;
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
  const query = collect(() => readQuery(ctx.querystring, route.query) as ListQuery);
  const position = collect(() => query && findPosition(ctx.path, query));
  const idempotencyKey = collect(() => (schema ? readIdempotencyKey(ctx.req) : undefined));
  const body = collect(() => schema && readBody(ctx, schema, (value) => checkBody?.(value, currency) ?? []));
  if (issues.length > 0) throw invalidInput(issues);
  return { ...pathOf(ctx), query: query!, position: position!, idempotencyKey, body };
}

function notFound(route: Route): AppError {
  return new AppError("NOT_FOUND", `${route.resource} not found`);
}

/** Logs requests for the shop's developers, including refused ones with a valid API key. */
export function logRequest(log: RequestLog): (request: AnsweredRequest) => void {
  return ({ ctx, facts, duration }) => {
    const { requestId, shopId, caller, route, errorBody = null } = facts;
    if (caller?.kind !== "apiKey" || !requestId || !shopId || !route) return;
    log.append({
      shopId,
      requestId,
      apiKeyId: caller.id,
      method: ctx.method,
      route,
      path: maskSecrets(`/${ctx.path.split("/").slice(4).join("/")}`),
      status: ctx.status,
      durationMs: duration,
      // The message lists unknown parameters.
      errorBody: errorBody && maskSecrets(errorBody),
    });
  };
}
