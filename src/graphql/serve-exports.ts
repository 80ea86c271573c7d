import { Readable } from "node:stream";
import {
  getNamedType,
  GraphQLBoolean,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
} from "graphql";
import createError from "http-errors";
import type { Context, Middleware } from "koa";
import { operationOf } from "../core/access/operation.ts";
import { requirePermission } from "../core/access/permissions.ts";
import { exportList, type ExportedListName } from "../core/exports/export-list.ts";
import { exportedLists } from "../core/exports/lists.ts";
import { AppError, invalidInput, type InputIssue } from "../core/model/errors.ts";
import { isSlowToFind, type ReadPage } from "../core/model/page.ts";
import type { Caller } from "../core/model/permissions.ts";
import { COSTLY, ticketOf } from "../platform/overload/permits.ts";
import { logFailure, type Logger } from "../platform/telemetry/logger.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import type { GraphqlContext } from "./request-context.ts";

const PATH = new RegExp(`^/exports/([^/]+)/(${Object.keys(exportedLists).join("|")})\\.csv$`);

/** Arguments of lists that an export does not have, because it has all pages in a fixed order, and its query has texts alone. */
const PAGING = new Set(["page", "after", "limit", "sort", "order", "metadata"]);

interface Options {
  schema: GraphQLSchema;
  logger: Logger;
  /** Finds the caller. @throws AppError UNAUTHENTICATED, or FORBIDDEN for a page of another site */
  contextOf: (ctx: Context) => Promise<GraphqlContext>;
}

/** Serves lists as CSV files to the callers of GraphQL, with the filters of its lists. */
export function serveExports({ schema, logger, contextOf }: Options): Middleware {
  const fields = (schema.getType("Shop") as GraphQLObjectType).getFields();
  return async (ctx, next) => {
    const [, shopId, name] = PATH.exec(ctx.path) ?? [];
    if (shopId === undefined) return next();
    if (ctx.method !== "GET") {
      ctx.set("Allow", "GET");
      throw createError(405, "Method not allowed");
    }
    const list = name as ExportedListName;
    addRequestFacts({ route: `/exports/{shopId}/${list}.csv` });
    ctx.set("Cache-Control", "no-store");
    const context = await contextOf(ctx);
    requirePermission(context.caller, shopId, exportedLists[list].permission);
    const operation = operationOf(context, shopId);
    const filter = readFilter(fields[list]!.args, ctx.querystring);
    const onPage = pageReader(ctx, context, {
      cost: isSlowToFind(filter) ? COSTLY : 1,
      check: (caller) => requirePermission(caller, shopId, exportedLists[list].permission),
    });
    const pieces = exportList(operation, { list, filter, onPage });
    const { value: first } = await pieces.next();
    // Not wrapped in another generator, which would not end this one if the client had left before it began.
    const file = Readable.from(pieces);
    file.unshift(first);
    // Koa then closes the connection, so that the client does not take the file for whole.
    file.once("error", (error) => {
      if (!(error instanceof AppError)) logFailure(logger, error, "export failed");
    });
    ctx.body = file;
    ctx.attachment(fileName(operation.shop.name, list));
    ctx.type = "text/csv; charset=utf-8";
  };
}

/** Takes permits for each page, and reads it only while `check` lets the caller read it. */
export function pageReader(
  ctx: Context,
  { waiting }: GraphqlContext,
  { cost, check }: { cost: number; check: (caller: Caller | undefined) => void },
): ReadPage {
  const ticket = ticketOf(ctx);
  return async (read) => {
    await ticket.takePermits(cost);
    try {
      check(await waiting!.findCaller());
      return await read();
    } finally {
      ticket.giveBackPermits();
    }
  };
}

/** Reads arguments of a field from a query string. @throws AppError VALIDATION_FAILED */
function readFilter(all: readonly GraphQLArgument[], querystring: string): Record<string, unknown> {
  const filter: Record<string, unknown> = {};
  const issues: InputIssue[] = [];
  const refuse = (path: string, code: string, message: string) => issues.push({ in: "query", path, code, message });
  for (const [name, value] of new URLSearchParams(querystring)) {
    const argument = PAGING.has(name) ? undefined : all.find((each) => each.name === name);
    if (!argument) refuse(name, "unknown_field", "Unknown parameter");
    else if (name in filter) refuse(name, "repeated", "Must be given only once");
    else {
      try {
        filter[name] = readArgument(argument, value);
      } catch (error) {
        refuse(name, "invalid_value", (error as Error).message);
      }
    }
  }
  if (issues.length > 0) throw invalidInput(issues);
  return filter;
}

function readArgument({ type }: GraphQLArgument, text: string): unknown {
  const named = getNamedType(type) as GraphQLScalarType | GraphQLEnumType;
  const isBoolean = named === GraphQLBoolean && /^(true|false)$/.test(text);
  return named.parseValue(isBoolean ? text === "true" : text);
}

/** Such as "Corner Shop products 2026-01-31.csv". */
function fileName(shop: string, list: ExportedListName): string {
  return `${shop.replace(/[\p{C}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu, "-")} ${list} ${new Date().toISOString().slice(0, 10)}.csv`;
}
