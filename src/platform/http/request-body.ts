import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import createError from "http-errors";
import type { Context } from "koa";
import readRawBody from "raw-body";

/** The maximum size of a request body. */
export const MAX_BODY_BYTES = 256 * 1024;
/** The time for which the rest of a refused body is read. Milliseconds. */
const DRAIN = 1_000;

type Body = Buffer | "cut short" | "too large";

/** Returns true for a request whose body is received. */
export const hasBody = ({ method }: Context): boolean => method === "POST" || method === "PUT";

/** Receives the body of a request. `bodyBytes` and `bodyText` throw what is wrong with it. */
export async function receiveBody(ctx: Context): Promise<void> {
  if (hasBody(ctx)) ctx.state.body = await receive(ctx);
}

async function receive(ctx: Context): Promise<Body> {
  try {
    return await readRawBody(ctx.req, { limit: MAX_BODY_BYTES, length: ctx.get("Content-Length") || null });
  } catch (error) {
    if ((error as { type?: string }).type !== "entity.too.large") return "cut short";
    // A client that sends its whole body before it reads would lose the answer if the rest were not read.
    ctx.req.resume();
    await Promise.race([once(ctx.req, "close"), once(ctx.req, "end"), delay(DRAIN)]).catch(() => undefined);
    ctx.set("Connection", "close");
    return "too large";
  }
}

/**
 * The received body.
 *
 * @throws HttpError 413 over 256 KiB; the error that `invalid` makes when it was cut short
 */
export function bodyBytes(ctx: Context, invalid: (message: string) => Error): Buffer {
  const body = ctx.state.body as Body;
  if (body === "cut short") throw invalid("Is incomplete");
  if (body === "too large") throw createError(413, `Request body must be at most ${MAX_BODY_BYTES} bytes`);
  return body;
}

/** The received body as text. @throws as `bodyBytes`; the error that `invalid` makes when it is not UTF-8 */
export function bodyText(ctx: Context, invalid: (message: string) => Error): string {
  const body = bodyBytes(ctx, invalid);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw invalid("Must be UTF-8");
  }
}
