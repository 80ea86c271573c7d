import { Readable } from "node:stream";
import createError from "http-errors";
import type { Context, Middleware } from "koa";
import { operationOf } from "../core/access/operation.ts";
import { storeChunk } from "../core/imports/change-import.ts";
import { requireImport, requireImporting } from "../core/imports/import.resolver.ts";
import { writeProblems } from "../core/imports/read-imports.ts";
import type { Caller } from "../core/model/permissions.ts";
import { bodyBytes } from "../platform/http/request-body.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import type { GraphqlContext } from "./request-context.ts";
import { pageReader } from "./serve-exports.ts";

/** A piece of a file, by its number, or the problems of a file. */
const PATH = /^\/imports\/([^/]+)\/([^/]+)\/(?:(\d{1,5})|problems\.csv)$/;

/**
 * Receives the pieces of files, and serves their problems as CSV, to the callers of GraphQL.
 *
 * @param contextOf finds the caller. Throws UNAUTHENTICATED, or FORBIDDEN for a page of another site
 */
export function serveImportFiles(contextOf: (ctx: Context) => Promise<GraphqlContext>): Middleware {
  return async (ctx, next) => {
    const [, shopId, id, number] = PATH.exec(ctx.path) ?? [];
    if (shopId === undefined || id === undefined) return next();
    const method = number === undefined ? "GET" : "PUT";
    addRequestFacts({ route: `/imports/{shopId}/{importId}/${number === undefined ? "problems.csv" : "{number}"}` });
    if (ctx.method !== method) {
      ctx.set("Allow", method);
      throw createError(405, "Method not allowed");
    }
    ctx.set("Cache-Control", "no-store");
    const context = await contextOf(ctx);
    const { kind } = await requireImport(context, shopId, id);
    if (number === undefined) {
      ctx.attachment("problems.csv");
      ctx.type = "text/csv; charset=utf-8";
      const check = (caller: Caller | undefined) => requireImporting({ caller }, shopId, kind);
      const onPage = pageReader(ctx, context, { cost: 1, check });
      ctx.body = Readable.from(writeProblems(context.orm.em, { shopId, id }, onPage));
    } else {
      await storeChunk(operationOf(context, shopId), id, Number(number), bodyBytes(ctx));
      ctx.status = 204;
    }
  };
}
