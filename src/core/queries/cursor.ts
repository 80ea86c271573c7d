import { invalidInput } from "../model/errors.ts";

/** The last row of a page: what it is sorted by, and its id. */
export interface Cursor {
  value: string;
  id: string;
}

/** Opaque to callers. `sorting` is bound in: a cursor of one order means nothing in another. */
export function encodeCursor(sorting: string, { value, id }: Cursor): string {
  return Buffer.from(JSON.stringify([sorting, value, id])).toString("base64url");
}

/** @throws AppError VALIDATION_FAILED when it is no cursor of this sorting */
export function decodeCursor(sorting: string, text: string): Cursor {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    throw invalidCursor();
  }
  const isWhole = Array.isArray(parts) && parts.length === 3 && parts.every((part) => typeof part === "string");
  if (!isWhole || (parts as string[])[0] !== sorting) throw invalidCursor();
  const [, value, id] = parts as [string, string, string];
  return { value, id };
}

export function invalidCursor(): Error {
  const message = "Must be the nextCursor of a page with the same sort and order";
  return invalidInput([{ path: "after", code: "invalid_value", message }]);
}
