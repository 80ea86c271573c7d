import type { IncomingMessage } from "node:http";
import createError from "http-errors";
import type { Context } from "koa";

/** The maximum size of a request body. */
export const MAX_BODY_BYTES = 256 * 1024;

/** The received bodies. */
export const bodies = new WeakMap<IncomingMessage, Buffer | "too large">();

const NONE = Buffer.alloc(0);

/** Returns true for a request with a body, which may be empty (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** The body of a request. Empty without one. @throws HttpError 413 over 256 KiB */
export function bodyBytes({ req }: Context): Buffer {
  const body = bodies.get(req) ?? NONE;
  if (body === "too large") throw createError(413, `Request body must be at most ${MAX_BODY_BYTES} bytes`);
  return body;
}

/** The body as text. @throws HttpError 413 over 256 KiB; the error that `invalid` makes when it is not UTF-8 */
export function bodyText(ctx: Context, invalid: (message: string) => Error): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bodyBytes(ctx));
  } catch (error) {
    throw createError.isHttpError(error) ? error : invalid("Must be UTF-8");
  }
}
