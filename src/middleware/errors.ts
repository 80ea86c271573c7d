import { HttpError } from "http-errors";
import type { Middleware } from "koa";
import { z } from "zod";
import { AppError, MAX_MISTAKES, SERVICE_UNAVAILABLE, type ErrorCode, type InputIssue } from "../core/model/errors.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import { logFailure, type Logger } from "../platform/telemetry/logger.ts";
import { sendJson } from "../platform/http/send.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";

const detailSchema = z
  .strictObject({
    in: z.enum(["body", "query", "header"]).meta({ description: "The part of the request that is invalid." }),
    path: z.string().meta({ description: "The field or parameter. Empty for the part as a whole." }),
    code: z.string().meta({ description: "A machine-readable code." }),
    message: z.string().meta({ description: "A human-readable message." }),
  })
  .meta({ id: "ErrorDetail", description: "A problem with a request." });

export const errorSchema = z
  .strictObject({
    error: z.string().meta({ description: "What went wrong." }),
    hint: z.string().optional().meta({ description: "How to fix the error." }),
    details: z
      .array(detailSchema)
      .optional()
      .meta({ description: `The first ${MAX_MISTAKES} problems with the request.` }),
  })
  .meta({ id: "ErrorResponse" });

export type ErrorBody = z.output<typeof errorSchema>;

const statuses: Record<ErrorCode, number> = {
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  SECOND_FACTOR_REQUIRED: 401,
  INVALID_SECOND_FACTOR: 401,
  SECOND_FACTOR_NOT_ENROLLED: 403,
  PLAN_FORBIDS: 403,
  FORBIDDEN: 403,
  LIMIT_REACHED: 403,
  SHOP_NOT_FOUND: 404,
  NOT_FOUND: 404,
  VALIDATION_FAILED: 400,
  CONFLICT: 409,
  VERSION_CONFLICT: 409,
  INVALID_STATE: 409,
  INSUFFICIENT_STOCK: 409,
  INSUFFICIENT_STORE_CREDIT: 409,
  // Never 429: the specification reserves it.
  RATE_LIMITED: 503,
  UNAVAILABLE: 503,
};

/** Seconds until a refused request may be retried. */
const RETRY_AFTER = 1;

/** Answers every error in the specification's format. Other details are logged instead. */
export function errorHandler(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { status, body } = reportError(error, ctx.method === "POST" ? "body" : "query", logger);
      if (status === 401) ctx.set("WWW-Authenticate", "Bearer");
      if (status === 409 || status === 503) ctx.set("Retry-After", String(RETRY_AFTER));
      await sendJson(ctx, status, body);
    }
  };
}

/** Describes an error, adds it to the facts of the request, and logs faults of the service. */
export function reportError(
  error: unknown,
  part: "body" | "query",
  logger: Logger,
): { status: number; body: ErrorBody } {
  const described = describeError(error, part);
  // Intended refusals are in the request log.
  if (described.status >= 500 && !(error instanceof AppError)) logFailure(logger, error, "request failed");
  addRequestFacts({ errors: codeOf(error, described.status), errorBody: JSON.stringify(described.body) });
  return described;
}

/** The body of an error without details. */
export function errorAnswer(error: AppError): string {
  return JSON.stringify(describeError(error, "query").body);
}

function describeError(error: unknown, part: "body" | "query"): { status: number; body: ErrorBody } {
  if (error instanceof AppError) {
    const { message, hint, issues } = error;
    const details = issues?.map((issue) => toDetail(issue, part));
    return {
      status: statuses[error.code],
      body: { error: message, ...(hint && { hint }), ...(details && { details }) },
    };
  }
  if (error instanceof HttpError && error.expose) return { status: error.status, body: { error: error.message } };
  if (isDatabaseUnavailable(error)) return { status: 503, body: { error: SERVICE_UNAVAILABLE } };
  return { status: 500, body: { error: "Internal server error" } };
}

/** The error code for the log: the error's own, or that of its HTTP status. */
function codeOf(error: unknown, status: number): string {
  return error instanceof AppError ? error.code : `HTTP_${status}`;
}

function toDetail(issue: InputIssue, part: "body" | "query"): z.output<typeof detailSchema> {
  return { in: issue.in ?? part, path: issue.path, code: issue.code, message: issue.message };
}
