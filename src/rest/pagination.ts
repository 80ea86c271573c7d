import { z } from "zod";
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_PAGE } from "../core/queries/pagination.ts";

const DIGITS = "In digits alone, without leading zeros.";

// Digits alone: no sign, exponent, fraction or leading zero.
const wholeNumber = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/, "Must be a whole number, in digits and without leading zeros")
  .transform(Number);

/** The parameters of every list. Out of bounds is refused, never clamped. */
export const pageQuery = {
  page: wholeNumber
    .pipe(z.int().min(1).max(MAX_PAGE))
    .default(1)
    .meta({ description: `Page to return, from 1. A page past the end is empty. ${DIGITS}`, example: 1 }),
  limit: wholeNumber
    .pipe(z.int().min(1).max(MAX_LIMIT))
    .default(DEFAULT_LIMIT)
    .meta({ description: `Records in a page. ${DIGITS}`, example: DEFAULT_LIMIT }),
};

export const paginationSchema = z
  .strictObject({
    page: z.int().min(1).meta({ description: "Current page." }),
    limit: z.int().min(1).max(MAX_LIMIT).meta({ description: "Page size in effect." }),
    total: z.int().min(0).meta({ description: "Total matching records." }),
    pages: z.int().min(0).meta({ description: "Total pages; 0 when there are no records." }),
  })
  .meta({ id: "Pagination" });

export type Pagination = z.output<typeof paginationSchema>;

export function paginate({ page, limit }: { page: number; limit: number }, total: number): Pagination {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}

/** The Link header (RFC 8288) to the first, previous, next and last page, where there is one. */
export function pageLinks(path: string, querystring: string, { page, pages }: Pagination): string {
  const targets: [string, number][] = [["first", 1]];
  if (page > 1) targets.push(["prev", Math.max(1, Math.min(page - 1, pages))]);
  if (page < pages) targets.push(["next", page + 1]);
  if (pages > 0) targets.push(["last", pages]);
  return targets
    .map(([relation, target]) => {
      const parameters = new URLSearchParams(querystring);
      parameters.set("page", String(target));
      return `<${path}?${parameters.toString()}>; rel="${relation}"`;
    })
    .join(", ");
}
