import { query } from "../database.ts";

/** A node of a plan of PostgreSQL. */
export interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Plan[];
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
}

/** Runs a statement, and returns the most rows that a node of its plan read. */
export async function rowsReadBy(databaseUrl: string, statement: string, values: unknown[]): Promise<number> {
  const nodes = await planNodesOf(databaseUrl, statement, values, "analyze, format json");
  const read = nodes.map((node) => {
    const { "Actual Rows": rows = 0, "Actual Loops": loops = 0, "Rows Removed by Filter": removed = 0 } = node;
    return (rows + removed) * loops;
  });
  return Math.max(...read);
}

/** The nodes of a statement's plan for these values. Without values, of the plan that serves any. */
export async function planNodesOf(
  databaseUrl: string,
  statement: string,
  values?: unknown[],
  options = values ? "format json" : "generic_plan, format json",
): Promise<Plan[]> {
  const [row] = await query<{ "QUERY PLAN": { Plan: Plan }[] }>(
    databaseUrl,
    `explain (${options}) ${statement}`,
    values,
  );
  const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
  return flatten(row!["QUERY PLAN"][0]!.Plan);
}

/** The columns that an index is searched by. */
export function columnsOf(scan: Plan): string[] {
  return [...(scan["Index Cond"] ?? "").matchAll(/\(?(\w+) (?:=|<|>)/g)].map(([, column]) => column!);
}
