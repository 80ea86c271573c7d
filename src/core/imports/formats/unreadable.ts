import { AppError } from "../../model/errors.ts";

/** The error for a file that cannot be read: a sentence that says why, and one that says what to do. */
export function unreadable(message: string, remedy: string): AppError {
  return new AppError("VALIDATION_FAILED", `${message} ${remedy}`);
}
