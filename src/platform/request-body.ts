import createError from "http-errors";
import type { Context } from "koa";
import readRawBody from "raw-body";

/** The bytes of the body as text. @throws HttpError 413 over `limit` bytes; 400 when cut short or not UTF-8 */
export async function readBodyText(ctx: Context, limit: number): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readRawBody(ctx.req, { limit, length: ctx.get("Content-Length") || null });
  } catch (error) {
    // What is left of the body is not worth waiting for.
    ctx.set("Connection", "close");
    if ((error as { type?: string }).type === "entity.too.large") {
      throw createError(413, `Request body must be at most ${limit} bytes`);
    }
    throw createError(400, "Request body was cut short");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw createError(400, "Request body must be UTF-8");
  }
}
