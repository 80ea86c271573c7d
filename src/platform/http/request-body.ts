import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import createError from "http-errors";
import type { Context } from "koa";
import readRawBody from "raw-body";
import { invalidInput, type AppError } from "../errors.ts";

/** The time for which the rest of a refused body is read. Milliseconds. */
const DRAIN = 1_000;

/**
 * The bytes of the body as text.
 *
 * @throws HttpError 413 over `limit` bytes; AppError VALIDATION_FAILED when cut short or not UTF-8
 */
export async function readBodyText(ctx: Context, limit: number): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readRawBody(ctx.req, { limit, length: ctx.get("Content-Length") || null });
  } catch (error) {
    if ((error as { type?: string }).type !== "entity.too.large") throw invalidBody("Was cut short");
    // A client that sends everything before it reads would lose the answer if nobody took the rest in.
    ctx.req.resume();
    await Promise.race([once(ctx.req, "close"), once(ctx.req, "end"), delay(DRAIN)]).catch(() => undefined);
    ctx.set("Connection", "close");
    throw createError(413, `Request body must be at most ${limit} bytes`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidBody("Must be UTF-8");
  }
}

function invalidBody(message: string): AppError {
  return invalidInput([{ in: "body", path: "", code: "invalid_text", message }]);
}
