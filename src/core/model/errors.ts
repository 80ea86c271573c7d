/** The core's error codes. Each API maps them once, to statuses of its own. */
export type ErrorCode =
  | "UNAUTHENTICATED"
  /** A password, or the address beside it, is wrong. */
  | "INVALID_CREDENTIALS"
  /** The password is right, and the account takes a code beside it. */
  | "SECOND_FACTOR_REQUIRED"
  /** That code is wrong, or was used before. */
  | "INVALID_SECOND_FACTOR"
  /** The shop requires a second factor of the caller, who has none. */
  | "SECOND_FACTOR_NOT_ENROLLED"
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

/** The most mistakes of a request that are named. */
export const MAX_MISTAKES = 20;

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

/** The error for a caller who is not known. The hint says what to do about it. */
export function unauthenticated(hint?: string): AppError {
  return new AppError("UNAUTHENTICATED", "Unauthorized", { hint });
}

/** The error for a caller who has to set up a second factor first. */
export function secondFactorMissing(message: string): AppError {
  const hint = "Turn it on with beginSecondFactor and confirmSecondFactor.";
  return new AppError("SECOND_FACTOR_NOT_ENROLLED", message, { hint });
}

/** The error for input that does not validate. It names the first mistakes. */
export function invalidInput(issues: InputIssue[]): AppError {
  return new AppError("VALIDATION_FAILED", "Validation error", { issues: issues.slice(0, MAX_MISTAKES) });
}

/** The error for a body that is no text. */
export function invalidBody(message: string): AppError {
  return invalidInput([{ in: "body", path: "", code: "invalid_text", message }]);
}
