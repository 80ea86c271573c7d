import { invalidInput } from "../../model/errors.ts";

/** The last row of a page: its sort value and its id. */
export interface Cursor {
  value: string;
  id: string;
}

/** Encodes an opaque cursor. It contains `sorting`, because it is meaningless in another order. */
export function encodeCursor(sorting: string, { value, id }: Cursor): string {
  return Buffer.from(JSON.stringify([sorting, value, id])).toString("base64url");
}

/** @throws AppError VALIDATION_FAILED when it is not a cursor of this sorting */
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
