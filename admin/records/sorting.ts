import type { Sorting } from "../ui/table.tsx";

/** The sorting in an address. The first sort is the default. Unknown ones are ignored. */
export function readSorting<Sort extends string>(
  { sort, order }: { sort?: string | undefined; order?: string | undefined },
  sorts: readonly [Sort, ...Sort[]],
  onChange: Sorting["onChange"],
): Sorting & { by: Sort } {
  const by = sorts.find((each) => each === sort) ?? sorts[0];
  return { by, order: order === "ASC" ? "ASC" : "DESC", onChange };
}
