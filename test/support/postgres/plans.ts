import { query } from "../database.ts";

/** A node of a plan of PostgreSQL. */
export interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Plan[];
}

/** The nodes of a statement's plan for these values. Without values, of the plan that serves any. */
export async function planNodesOf(databaseUrl: string, statement: string, values?: unknown[]): Promise<Plan[]> {
  const options = values ? "format json" : "generic_plan, format json";
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
