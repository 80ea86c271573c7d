import { hash } from "node:crypto";
import { z } from "zod";
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_PAGE } from "../core/model/page.ts";
import { invalidInput } from "../core/model/errors.ts";
import { isTimestamp } from "../core/model/scalars.ts";

/** The requested page of a list. */
export interface Position {
  /** The page number, from 1. */
  page: number;
  /** The core's cursor before the page. Null if the page is found by its number. */
  after: string | null;
}

/** The parameters of a list. Only `page` and `cursor` change from page to page. */
export type ListParameters = { page?: number; cursor?: string } & Record<string, unknown>;

/** Page number, the core's cursor, and a digest, which detects mistakes and is not a secret. */
const FORM = /^(\d+)\.([\w-]+)\.[\w-]{8}$/;
const FOREIGN = "Must come from the previous page of this list, with its other parameters";

const cursorParameter = z.string().refine((text) => FORM.test(text), FOREIGN);

/**
 * Finds the requested page of the list at this path.
 *
 * @throws AppError VALIDATION_FAILED when the cursor belongs to another list or other parameters
 */
export function findPosition(path: string, query: ListParameters): Position {
  const { page, cursor } = query;
  if (cursor === undefined) return { page: page ?? 1, after: null };
  if (page !== undefined) throw invalidCursor("Cannot be combined with page");
  const [, number, after = ""] = FORM.exec(cursor) ?? [];
  const position = { page: Number(number), after };
  if (cursor !== toCursor(path, query, position)) throw invalidCursor(FOREIGN);
  return position;
}

/** Creates the `cursor` of a position, which is valid only for this list. */
export function toCursor(path: string, query: ListParameters, { page, after }: Position): string {
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

const DIGITS = "Digits only, without leading zeros.";

// Digits only: no sign, exponent, fraction or leading zero.
const wholeNumber = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/, "Must be a whole number, in digits without leading zeros")
  .transform(Number);

/** The parameters of every list. Values out of range are refused, never clamped. */
export const pageQuery = {
  page: wholeNumber
    .pipe(z.int().min(1).max(MAX_PAGE))
    .optional()
    .meta({
      description: `The page number, starting at 1. Default: \`1\`. A page after the last one is empty. ${DIGITS}`,
    }),
  limit: wholeNumber
    .pipe(z.int().min(1).max(MAX_LIMIT))
    .default(DEFAULT_LIMIT)
    .meta({ description: `The number of records per page. ${DIGITS}` }),
  cursor: cursorParameter.optional().meta({
    description:
      'The position in the list, from the `rel="next"` link of a `Link` header. Send it with the other parameters of that link, without `page`.',
  }),
  updatedSince: z
    .string()
    .refine(isTimestamp, "Must be an ISO 8601 time with Z or an offset, such as 2026-01-31T09:30:00Z. Encode + as %2B")
    .optional()
    .meta({
      description:
        "Only records created or changed at or after this time: ISO 8601 with `Z` or an offset, at most a day in the future. Deleted records are in no list. Example: `2026-01-31T09:30:00Z`.",
      format: "date-time",
    }),
};

export const paginationSchema = z
  .strictObject({
    page: z.int().min(1).meta({ description: "The current page." }),
    limit: z.int().min(1).max(MAX_LIMIT).meta({ description: "The number of records per page." }),
    total: z.int().min(0).meta({ description: "The total number of matching records." }),
    pages: z.int().min(0).meta({ description: "The total number of pages. 0 if there are no records." }),
  })
  .meta({ id: "Pagination" });

export type Pagination = z.output<typeof paginationSchema>;

export function paginate({ page }: Position, limit: number, total: number): Pagination {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}

/** The target of a request, with parameters that links repeat. */
interface Target {
  url: string;
  querystring: string;
}

/** The Link header (RFC 8288) with the first, previous, next and last page, if they exist. */
export function pageLinks(target: Target, { page, pages }: Pagination, nextCursor: string | null): string {
  const links = [linkTo("first", target, { page: 1 })];
  if (page > 1) links.push(linkTo("prev", target, { page: Math.max(1, Math.min(page - 1, pages)) }));
  if (nextCursor !== null) links.push(linkTo("next", target, { cursor: nextCursor }));
  if (pages > 0) links.push(linkTo("last", target, { page: pages }));
  return links.join(", ");
}

function linkTo(relation: string, { url, querystring }: Target, to: { page: number } | { cursor: string }): string {
  const parameters = new URLSearchParams(querystring);
  for (const name of ["page", "cursor"]) parameters.delete(name);
  for (const [name, value] of Object.entries(to)) parameters.set(name, String(value));
  return `<${url}?${parameters.toString()}>; rel="${relation}"`;
}
