import { OperatorError } from "../../platform/errors.ts";
import { progress } from "../../platform/terminal.ts";
import { runOnce } from "../open-app.ts";

/** Distributes the database over the nodes of its cluster, or prints the statements. */
export function distribute({ dryRun }: { dryRun?: true }): Promise<void> {
  return runOnce(async (app) => {
    const schema = (await app.findProblems()).find(({ part }) => part === "schema");
    if (schema) throw new OperatorError(schema.message);
    const statements = await app.distribute({ dryRun, onProgress: progress });
    if (dryRun) for (const statement of statements) console.log(`${statement};`);
    if (statements.length === 0) progress("Every table is distributed already");
    else if (!dryRun) progress("The tables are distributed");
  });
}
