import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "koa";

const COMPRESS_FROM = 1024;

// Brotli's default is its slowest level, meant for files that are compressed once.
const encoders: Record<string, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: promisify(gzip),
};

/**
 * Answers with JSON. A read gets a strong ETag, which differs by encoding as the bytes do (RFC 9110, section 8.8.3),
 * and 304 when the client already has these bytes.
 */
export function sendJson(ctx: Context, status: number, value: unknown): Promise<void> {
  return sendText(ctx, status, JSON.stringify(value));
}

/** Prepares a JSON answer that is sent many times, and encodes it once. */
export function prepareJson(value: unknown): (ctx: Context, status: number) => Promise<void> {
  const text = JSON.stringify(value);
  const encoded = new Map<string, Promise<Buffer>>();
  return (ctx, status) => sendText(ctx, status, text, encoded);
}

/** @param encoded the known encodings of the text */
async function sendText(
  ctx: Context,
  status: number,
  text: string,
  encoded?: Map<string, Promise<Buffer>>,
): Promise<void> {
  ctx.status = status;
  ctx.set("Content-Type", "application/json; charset=utf-8");
  ctx.set("Vary", "Accept-Encoding");
  const isLong = Buffer.byteLength(text) >= COMPRESS_FROM;
  const encoding = isLong ? ctx.acceptsEncodings("br", "gzip", "identity") || "identity" : "identity";
  if (status === 200) {
    const etag = `"${hash("sha1", text, "base64url")}${encoding === "identity" ? "" : `-${encoding}`}"`;
    ctx.set("ETag", etag);
    if (hasCurrent(ctx, etag)) {
      ctx.status = 304;
      return;
    }
  }
  const encode = encoders[encoding];
  if (encode) ctx.set("Content-Encoding", encoding);
  const body = encode && (encoded?.get(encoding) ?? encode(Buffer.from(text)));
  if (body) encoded?.set(encoding, body);
  ctx.body = body ? await body : text;
}

/**
 * Returns true when If-None-Match has the ETag (RFC 9110, section 13.1.2). Koa's `fresh` returns false for
 * `Cache-Control: no-cache`, which `fetch` adds to every conditional request.
 */
function hasCurrent(ctx: Context, etag: string): boolean {
  if (ctx.method !== "GET" && ctx.method !== "HEAD") return false;
  const asked = ctx.get("If-None-Match");
  return asked.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
}
