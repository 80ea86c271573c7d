/** The core's error codes. Each API maps them to its own statuses. */
export type ErrorCode =
  | "UNAUTHENTICATED"
  /** Wrong password or email address. */
  | "INVALID_CREDENTIALS"
  /** The password is correct, and the account requires a code too. */
  | "SECOND_FACTOR_REQUIRED"
  /** The code is wrong or was used before. */
  | "INVALID_SECOND_FACTOR"
  /** The shop requires a second factor, and the caller has none. */
  | "SECOND_FACTOR_NOT_ENROLLED"
  | "SHOP_NOT_FOUND"
  | "PLAN_FORBIDS"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "VALIDATION_FAILED"
  | "LIMIT_REACHED"
  | "CONFLICT"
  /** The record was changed since the caller read it. */
  | "VERSION_CONFLICT"
  /** The record's state does not allow it. */
  | "INVALID_STATE"
  | "INSUFFICIENT_STOCK"
  | "INSUFFICIENT_STORE_CREDIT"
  | "RATE_LIMITED"
  | "UNAVAILABLE";

/** The message while PostgreSQL does not respond. */
export const SERVICE_UNAVAILABLE = "Service unavailable";

/** The maximum number of mistakes listed for a request. */
export const MAX_MISTAKES = 20;

/** A mistake in the input. `path` locates the value, with dots between names. */
export interface InputIssue {
  /** The part of the request, if known. */
  in?: "body" | "query" | "header";
  path: string;
  code: string;
  message: string;
  /** The record that already has the value. */
  recordId?: string;
}

/** An error whose message may be shown to the client. Details of any other error are hidden. */
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

/** The error for an unauthenticated request. The hint describes the fix. */
export function unauthenticated(hint?: string): AppError {
  return new AppError("UNAUTHENTICATED", "Unauthorized", { hint });
}

/** The error for a caller who must first set up a second factor. */
export function secondFactorMissing(message: string): AppError {
  const hint = "Turn it on with beginSecondFactor and confirmSecondFactor.";
  return new AppError("SECOND_FACTOR_NOT_ENROLLED", message, { hint });
}

/** The error for invalid input. It lists the first mistakes. */
export function invalidInput(issues: InputIssue[], hint?: string): AppError {
  return new AppError("VALIDATION_FAILED", "Validation error", { issues: issues.slice(0, MAX_MISTAKES), hint });
}

/** The error for a body that is not text. */
export function invalidBody(message: string): AppError {
  return invalidInput([{ in: "body", path: "", code: "invalid_text", message }]);
}
