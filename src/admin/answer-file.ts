import type { Context } from "koa";
import { pageHeaders } from "./policy.ts";
import type { BuiltFile } from "./built-files.ts";

const NOT_BUILT = "Admin is not built. Run: npm run build:admin\n";

/** Answers with an HTML page, which browsers ask for again each time. */
export function answerPage(ctx: Context, file: BuiltFile | undefined): void {
  ctx.set(pageHeaders);
  ctx.set("Cache-Control", "no-cache");
  if (file) return answerFile(ctx, file, "html");
  ctx.status = 404;
  ctx.body = NOT_BUILT;
}

export function answerFile(ctx: Context, file: BuiltFile, type = ctx.path): void {
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
