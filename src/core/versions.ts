import { AppError } from "../platform/errors.ts";

/** @throws AppError VERSION_CONFLICT when the caller has not seen the record as it is now */
export function checkVersion(record: { version: number }, expected: number | null | undefined): void {
  if (expected == null || expected === record.version) return;
  throw new AppError("VERSION_CONFLICT", `The record changed: its version is ${record.version}, not ${expected}`, {
    hint: "Read it again, and repeat the change on what you find.",
  });
}
