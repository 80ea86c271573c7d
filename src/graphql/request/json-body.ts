import createError, { HttpError } from "http-errors";
import type { Context } from "koa";
import { AppError, invalidBody } from "../../core/model/errors.ts";
import { bodyText } from "../../platform/http/request-body.ts";
import { refuseRequest } from "../answer.ts";

/** Puts the body of a POST where the integration expects it. Returns false when it refused the request. */
export function takeJsonBody(ctx: Context): boolean {
  try {
    if (ctx.method === "POST") (ctx.request as { body?: unknown }).body = parseJson(ctx, bodyText(ctx, invalidBody));
    return true;
  } catch (error) {
    if (error instanceof AppError) {
      refuseRequest(ctx, 400, error);
    } else if (error instanceof HttpError) {
      refuseRequest(ctx, error.status, { code: "BAD_REQUEST", message: error.message });
    } else throw error;
    return false;
  }
}

function parseJson(ctx: Context, text: string): unknown {
  // Apollo checks the content type, which protects against forged requests.
  if (!ctx.is("application/json")) return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw createError(400, "Request body must be valid JSON");
  }
  // The integration answers 500 for a falsy body.
  return body || {};
}
