import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "koa";

/** The built pages, relative to this file as a source or as compiled. */
export const PAGES = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "../../dist/admin" : "../../admin",
);

/** A built file with its compressed variants. */
export interface BuiltFile {
  body: Buffer;
  brotli: Buffer | undefined;
  gzip: Buffer | undefined;
  etag: string;
}

/** Reads the built files of a directory, by their path in it. Returns none if it does not exist. */
export async function readFiles(directory: string): Promise<Map<string, BuiltFile>> {
  const files = new Map<string, BuiltFile>();
  for await (const path of glob("**/*.*", { cwd: directory })) {
    if (/\.(?:br|gz)$/.test(path)) continue;
    const file = join(directory, path);
    const body = await readFile(file);
    const [brotli, zipped] = await Promise.all([`${file}.br`, `${file}.gz`].map(readIfThere));
    files.set(path.replaceAll("\\", "/"), { body, brotli, gzip: zipped, etag: etagOf(body) });
  }
  return files;
}

/** Brotli's best level takes half a second for a long page. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** Makes a file of a text that is built when it is first asked for. */
export async function makeFile(text: string): Promise<BuiltFile> {
  const body = Buffer.from(text);
  const [brotli, zipped] = await Promise.all([promisify(brotliCompress)(body, FAST), promisify(gzip)(body)]);
  return { body, brotli, gzip: zipped, etag: etagOf(body) };
}

const etagOf = (body: Buffer) => `"${createHash("sha256").update(body).digest("base64url")}"`;

async function readIfThere(file: string): Promise<Buffer | undefined> {
  return existsSync(file) ? readFile(file) : undefined;
}

/** Allows own files and requests to this server only: nothing inline, and no text becomes markup. */
const directives = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** Headers of every HTML page. */
const pageHeaders = {
  "Content-Security-Policy": directives.join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
};

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
