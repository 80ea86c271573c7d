import { hash } from "node:crypto";
import { z } from "zod";
import { invalidInput } from "../core/model/errors.ts";

/** The requested page of a list. */
export interface Position {
  /** The page number, from 1. */
  page: number;
  /** The core's cursor before the page. Null if the page is found by its number. */
  after: string | null;
}

/** The parameters of a list. Only `page` and `cursor` change from page to page. */
export type ListQuery = { page?: number; cursor?: string } & Record<string, unknown>;

/** Page number, the core's cursor, and a digest, which detects mistakes and is not a secret. */
const FORM = /^(\d+)\.([\w-]+)\.[\w-]{8}$/;
const FOREIGN = "Must come from a Link header of this list, with the other parameters of that link";

export const cursorParameter = z.string().refine((text) => FORM.test(text), FOREIGN);

/**
 * Finds the requested page of the list at this path.
 *
 * @throws AppError VALIDATION_FAILED when the cursor belongs to another list or other parameters
 */
export function findPosition(path: string, query: ListQuery): Position {
  const { page, cursor } = query;
  if (cursor === undefined) return { page: page ?? 1, after: null };
  if (page !== undefined) throw invalidCursor("Cannot be combined with page");
  const [, number, after = ""] = FORM.exec(cursor) ?? [];
  const position = { page: Number(number), after };
  if (cursor !== toCursor(path, query, position)) throw invalidCursor(FOREIGN);
  return position;
}

/** Creates the `cursor` of a position, which is valid only for this list. */
export function toCursor(path: string, query: ListQuery, { page, after }: Position): string {
  const { page: _page, cursor: _cursor, ...others } = query;
  const digest = hash("sha256", JSON.stringify([path, others, page, after]), "base64url");
  return `${page}.${after}.${digest.slice(0, 8)}`;
}

/** The core's list arguments for a position. */
export function pageArguments({ page, after }: Position): { page: number | null; after: string | null } {
  return { page: after === null ? page : null, after };
}

function invalidCursor(message: string): Error {
  return invalidInput([{ in: "query", path: "cursor", code: "invalid_value", message }]);
}
