import { AppError } from "../model/errors.ts";

interface Versioned {
  /** Grows with every change. */
  version: number;
  /** The version of the last change that is an edit; the same where every change is one. */
  editedVersion?: number;
}

/** @throws AppError VERSION_CONFLICT when the record was edited since the caller saw it */
export function checkVersion(
  { version, editedVersion = version }: Versioned,
  expected: number | null | undefined,
): void {
  if (expected == null || (expected >= editedVersion && expected <= version)) return;
  throw new AppError("VERSION_CONFLICT", `The record has changed: its version is ${version}, not ${expected}`, {
    hint: "Read it again and repeat your change.",
  });
}
