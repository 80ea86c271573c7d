import { join } from "node:path";
import type { Context, Middleware } from "koa";
import createError from "http-errors";
import { pageHeaders } from "./policy.ts";
import { readFiles, type BuiltFile } from "./read-files.ts";

/** The sources and the program are built into the same directory, and one of them is in it. */
const DIRECTORY = join(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "../../dist/admin" : "../../admin");
const ASSETS = "/admin/assets/";
/** Their names change with what is in them. */
const FOREVER = "public, max-age=31536000, immutable";
const NOT_BUILT = "The pages of Admin are not built here: npm run build:admin builds them.\n";

/**
 * Serves the built pages: Admin at every path below `/admin`, for its own router tells pages apart, and the reference of
 * the API at `/docs`. `/` leads people to Admin.
 */
export async function serveAdmin(): Promise<Middleware> {
  const files = await readFiles(DIRECTORY);
  return (ctx, next) => {
    const { path } = ctx;
    if (ctx.method !== "GET" && ctx.method !== "HEAD") return next();
    if (path === "/") return ctx.redirect("/admin/");
    if (path.startsWith(ASSETS)) return answerAsset(ctx, files.get(path.slice("/admin/".length)));
    if (path === "/admin" || path.startsWith("/admin/")) return answerPage(ctx, files.get("index.html"));
    if (path === "/docs" || path === "/docs/") return answerPage(ctx, files.get("docs.html"));
    return next();
  };
}

function answerAsset(ctx: Context, file: BuiltFile | undefined): void {
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
