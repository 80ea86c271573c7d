import createError, { HttpError } from "http-errors";
import type { Context } from "koa";
import { AppError, invalidBody } from "../../core/errors.ts";
import { readBodyText } from "../../platform/http/request-body.ts";
import { refuseRequest } from "../answer.ts";

/**
 * Reads the body, if there should be one, to where the integration looks for it, once the request has its turn. False when
 * it was refused instead.
 */
export async function takeJsonBody(ctx: Context, takeTurn: () => Promise<void>): Promise<boolean> {
  try {
    const text = ctx.method === "POST" ? await readBodyText(ctx, invalidBody) : undefined;
    await takeTurn();
    if (text !== undefined) (ctx.request as { body?: unknown }).body = parseJson(ctx, text);
    return true;
  } catch (error) {
    if (error instanceof AppError) {
      const { code, message, hint, issues } = error;
      refuseRequest(ctx, code === "UNAVAILABLE" ? 503 : 400, { code, message, hint, issues });
    } else if (error instanceof HttpError) {
      refuseRequest(ctx, error.status, { code: "BAD_REQUEST", message: error.message });
    } else throw error;
    return false;
  }
}

function parseJson(ctx: Context, text: string): unknown {
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
