import createError, { HttpError } from "http-errors";
import type { Context } from "koa";
import { AppError, invalidBody } from "../../core/errors.ts";
import { readBodyText } from "../../platform/http/request-body.ts";
import { refuseRequest } from "../answer.ts";

/** Reads the body to where the integration looks for it. False when the request was refused instead. */
export async function takeJsonBody(ctx: Context): Promise<boolean> {
  try {
    (ctx.request as { body?: unknown }).body = await readJson(ctx);
    return true;
  } catch (error) {
    if (error instanceof AppError) {
      const { code, message, issues } = error;
      refuseRequest(ctx, 400, { code, message, issues });
    } else if (error instanceof HttpError) {
      refuseRequest(ctx, error.status, { code: "BAD_REQUEST", message: error.message });
    } else throw error;
    return false;
  }
}

async function readJson(ctx: Context): Promise<unknown> {
  const text = await readBodyText(ctx, invalidBody);
  // Apollo's own check of the content type is what protects against forged requests.
  if (!ctx.is("application/json")) return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw createError(400, "Request body must be valid JSON");
  }
  // The integration takes a falsy body for a mistake of ours and answers 500.
  return body || {};
}
