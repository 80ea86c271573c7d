import { join } from "node:path";
import type { Context, Middleware } from "koa";
import createError from "http-errors";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import { pageHeaders } from "./policy.ts";
import { readFiles, type BuiltFile } from "./read-files.ts";

/** The built pages, relative to this file as a source or as compiled. */
const DIRECTORY = join(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "../../dist/admin" : "../../admin");
/** Assets have a hash of their content in their name, so they never change. */
const FOREVER = "public, max-age=31536000, immutable";
const NOT_BUILT = "Admin is not built. Run: npm run build:admin\n";

/** A route: its name in the log, metrics and traces, its paths and its handler. */
interface Route {
  name: string;
  paths: RegExp;
  answer: (ctx: Context, files: Map<string, BuiltFile>) => void;
}

/** Every path below `/admin` that is not an asset serves the same page, which has its own router. */
const routes: Route[] = [
  { name: "/", paths: /^\/$/, answer: (ctx) => ctx.redirect("/admin/") },
  { name: "/admin/assets/*", paths: /^\/admin\/assets\//, answer: answerAsset },
  { name: "/admin/*", paths: /^\/admin(\/|$)/, answer: (ctx, files) => answerPage(ctx, files.get("index.html")) },
  { name: "/docs", paths: /^\/docs\/?$/, answer: (ctx, files) => answerPage(ctx, files.get("docs.html")) },
];

/** Serves Admin, and the API reference at `/docs`. `/` redirects to Admin. */
export async function serveAdmin(): Promise<Middleware> {
  const files = await readFiles(DIRECTORY);
  return async (ctx, next) => {
    const isRead = ctx.method === "GET" || ctx.method === "HEAD";
    const route = isRead ? routes.find(({ paths }) => paths.test(ctx.path)) : undefined;
    if (!route) return next();
    addRequestFacts({ route: route.name });
    return route.answer(ctx, files);
  };
}

function answerAsset(ctx: Context, files: Map<string, BuiltFile>): void {
  const file = files.get(ctx.path.slice("/admin/".length));
  if (!file) throw createError(404, "Not found");
  ctx.set("Cache-Control", FOREVER);
  answerFile(ctx, file);
}

function answerPage(ctx: Context, file: BuiltFile | undefined): void {
  ctx.set(pageHeaders);
  ctx.set("Cache-Control", "no-cache");
  if (file) return answerFile(ctx, file, "html");
  ctx.status = 404;
  ctx.body = NOT_BUILT;
}

function answerFile(ctx: Context, file: BuiltFile, type = ctx.path): void {
  ctx.vary("Accept-Encoding");
  ctx.status = 200;
  ctx.etag = file.etag;
  ctx.type = type.slice(type.lastIndexOf(".") + 1);
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const encoding = ctx.acceptsEncodings(["br", "gzip", "identity"]);
  const compressed = encoding === "br" ? file.brotli : encoding === "gzip" ? file.gzip : undefined;
  if (compressed) ctx.set("Content-Encoding", encoding as string);
  ctx.body = compressed ?? file.body;
}
