import { migrations } from "../../../migrations/index.ts";
import { listMigrations } from "../../platform/postgres/schema-version.ts";
import { printRows, type OutputOptions } from "../output.ts";
import { runOnce } from "../run-once.ts";

/** The exit code when something waits; 1 is for what went wrong. */
const WAITING = 2;

/** Brings the database up to date, or tells how far it is. */
export function migrate({ status, ...output }: OutputOptions & { status?: true }): Promise<void> {
  if (!status) return runOnce((app) => app.migrate(), "database", { isPatient: true });
  return runOnce(async (app) => {
    const names = migrations.map(({ name }) => name);
    const rows = await listMigrations(app.core.orm, names);
    printRows(rows, output);
    if (rows.some(({ state }) => state === "WAITING")) process.exitCode = WAITING;
  });
}
