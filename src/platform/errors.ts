/** The core's error codes. Each API maps them once, to statuses of its own. */
export type ErrorCode =
  | "UNAUTHENTICATED"
  /** A password, or the address beside it, is wrong. */
  | "INVALID_CREDENTIALS"
  | "SHOP_NOT_FOUND"
  | "PLAN_FORBIDS"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "VALIDATION_FAILED"
  | "LIMIT_REACHED"
  | "CONFLICT"
  /** The record changed since the caller read it. */
  | "VERSION_CONFLICT"
  /** Not in the state that the record is in. */
  | "INVALID_STATE"
  | "INSUFFICIENT_STOCK"
  | "INSUFFICIENT_STORE_CREDIT"
  | "RATE_LIMITED"
  | "UNAVAILABLE";

/** One thing that is wrong with the input. `path` leads to the value inside the input, dots between names. */
export interface InputIssue {
  /** The part of a request, where it is known. */
  in?: "body" | "query" | "header";
  path: string;
  code: string;
  message: string;
}

/** An error whose message may be shown to the caller. Any other error is a fault of ours and shows nothing. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly issues: InputIssue[] | undefined;

  constructor(code: ErrorCode, message: string, extra: { hint?: string; issues?: InputIssue[]; cause?: unknown } = {}) {
    super(message, { cause: extra.cause });
    this.name = "AppError";
    this.code = code;
    this.hint = extra.hint;
    this.issues = extra.issues;
  }
}

/** An error that the operator can mend: shown as its message alone. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** The error for a caller who is not known. The hint says what to do about it. */
export function unauthenticated(hint?: string): AppError {
  return new AppError("UNAUTHENTICATED", "Unauthorized", { hint });
}

/** The error for input that does not validate. */
export function invalidInput(issues: InputIssue[]): AppError {
  return new AppError("VALIDATION_FAILED", "Validation error", { issues });
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, too many
// connections, admin shutdown, crash shutdown, cannot connect now, statement and lock time-outs, deadlocks.
const unavailableStates = /^(08|53|57P0|57014|55P03|40P01)/;
const networkCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"]);

/** Tells whether the error means that PostgreSQL cannot serve now, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause ?? (cause as { previous?: unknown }).previous) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === "string" && (networkCodes.has(code) || unavailableStates.test(code))) return true;
    // What node-postgres says without a code.
    if (/timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(cause.message))
      return true;
  }
  return false;
}
