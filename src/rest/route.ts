import type { DocumentNode } from "graphql";
import type { Context, Middleware } from "koa";
import type { z } from "zod";
import type { Access, Gateway } from "../core/gateway.ts";
import type { Permission } from "../core/access/permissions.ts";
import { AppError, invalidInput, type InputIssue } from "../core/errors.ts";
import type { TadaDocumentNode } from "./typed-document.ts";
import { pageLinks, type Pagination } from "./pagination.ts";
import { findPosition, toCursor, type ListQuery, type Position } from "./position.ts";
import { readApiKey, readBody, readIdempotencyKey, readQuery } from "./read-input.ts";
import { noteFacts } from "../platform/fairness/visit.ts";
import { addressOf } from "../platform/http/address.ts";
import { sendJson } from "../platform/http/send.ts";

/** The input of a request, read and checked. */
interface RouteInput<Query, Body> {
  shopId: string;
  /** The identifier in the path; empty for routes without one. */
  id: string;
  query: Query;
  /** The page that is asked for, of a list. */
  position: Position;
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
  /** The noun of a 404. "Shop" for routes that are not about one resource. */
  resource: "Shop" | "Product" | "Order" | "Customer";
  query: Query;
  body?: Body;
  /** Finds what is wrong with a body in a shop of this currency, beyond the schema, which the body may not fit. */
  checkBody?: (body: Record<string, unknown>, currency: string) => InputIssue[];
  bodyExample?: z.input<Body>;
  document: TadaDocumentNode<Data, Variables>;
  variables: (input: RouteInput<z.output<Query>, z.output<Body>>) => Variables;
  status: 200 | 201;
  response: Response;
  responseExample: z.output<Response>;
  /** The answer's body; null when there is no such resource. */
  shape: (data: Data, input: RouteInput<z.output<Query>, z.output<Body>>) => z.output<Response> | null;
  /** The core's cursor of a list's next page; null on its last. */
  nextCursor?: (data: Data) => string | null;
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

type Input = RouteInput<ListQuery, unknown>;
type Answer = Record<string, unknown>;

/** The steps of every request, in the order of what they refuse: 401, 404 for the shop, 403, 400, 404 for the id. */
export function handleRoute(route: Route, gateway: Gateway): Middleware {
  const run = gateway.prepare(route.document as unknown as DocumentNode);
  return async (ctx) => {
    ctx.set("Cache-Control", "private, no-cache");
    noteFacts({ route: route.path });
    const access = await authenticate(ctx, route, gateway);
    const input = await readInput(ctx, route, access);
    const { data, isReplay } = await run(route.variables(input as never), access);
    const answer = shapeAnswer(route, data, input);
    setHeaders(ctx, route, answer, isReplay);
    if (route.nextCursor) setLinks(ctx, answer.pagination as Pagination, input, route.nextCursor(data as never));
    await sendJson(ctx, route.status, answer);
    gateway.weigh(ctx.length ?? 0);
  };
}

/** @throws AppError UNAUTHENTICATED, NOT_FOUND when the shop is not the key's, PLAN_FORBIDS, FORBIDDEN or UNAVAILABLE */
async function authenticate(ctx: Context, route: Route, gateway: Gateway): Promise<Access> {
  const { permission } = route;
  const request = { shopId: pathOf(ctx).shopId, permission, address: addressOf(ctx) };
  const access = await gateway.authenticate(readApiKey(ctx.req), request);
  if (!access) throw notFound(route);
  return access;
}

/** @throws AppError NOT_FOUND when there is no such resource */
function shapeAnswer(route: Route, data: unknown, input: Input): Answer {
  const answer = route.shape(data as never, input as never) as Answer | null;
  if (!answer) throw notFound(route);
  return answer;
}

function setHeaders(ctx: Context, route: Route, answer: Answer, isReplay: boolean): void {
  if (isReplay) ctx.set(REPLAYED, "true");
  if (route.location) ctx.set("Location", `/api/v1/${pathOf(ctx).shopId}${route.location(answer as never)}`);
}

function setLinks(ctx: Context, pagination: Pagination, { query, position }: Input, after: string | null): void {
  const cursor = after && toCursor(ctx.path, query, { page: position.page + 1, after });
  ctx.set("Link", pageLinks(ctx, pagination, cursor));
}

function pathOf(ctx: Context): { shopId: string; id: string } {
  const { shopId = "", id = "" } = ctx.params as Record<string, string>;
  return { shopId, id };
}

/** Names everything that is wrong, in whichever part of the request. */
async function readInput(ctx: Context, route: Route, { currency }: Access): Promise<Input> {
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
  const query = await collect(() => readQuery(ctx.querystring, route.query) as ListQuery);
  const position = await collect(() => query && findPosition(ctx.path, query));
  const idempotencyKey = await collect(() => (schema ? readIdempotencyKey(ctx.req) : undefined));
  const body = await collect(() => schema && readBody(ctx, schema, (value) => checkBody?.(value, currency) ?? []));
  if (issues.length > 0) throw invalidInput(issues);
  return { ...pathOf(ctx), query: query!, position: position!, idempotencyKey, body };
}

function notFound(route: Route): AppError {
  return new AppError("NOT_FOUND", `${route.resource} not found`);
}
