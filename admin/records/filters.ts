import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Sorting } from "../ui/table.tsx";

/** The filters in the page's address, and a function that changes some of them. */
export function useFilters() {
  const filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changed: typeof filters) =>
    void navigate({ to: ".", search: (old) => ({ ...old, ...changed }), replace: true });
  return [filters, change] as const;
}

/** The sorting in an address. The first sort is the default. Unknown ones are ignored. */
export function readSorting<Sort extends string>(
  { sort, order }: { sort?: string | undefined; order?: string | undefined },
  sorts: readonly [Sort, ...Sort[]],
  onChange: Sorting["onChange"],
): Sorting & { by: Sort } {
  const by = sorts.find((each) => each === sort) ?? sorts[0];
  return { by, order: order === "ASC" ? "ASC" : "DESC", onChange };
}
