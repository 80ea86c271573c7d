import { migrations } from "../../../migrations/index.ts";
import { listMigrations } from "../../platform/postgres/schema-version.ts";
import { printRows, type OutputOptions } from "../output.ts";
import { runOnce } from "../run-once.ts";

/** The exit code when migrations are pending. 1 means an error. */
const WAITING = 2;

/** Migrates the database, or prints the status of its migrations. */
export function migrate({ status, ...output }: OutputOptions & { status?: true }): Promise<void> {
  if (!status) return runOnce((app) => app.migrate(), "database", { isPatient: true });
  return runOnce(async (app) => {
    const names = migrations.map(({ name }) => name);
    const rows = await listMigrations(app.core.orm, names);
    printRows(rows, output);
    if (rows.some(({ state }) => state === "WAITING")) process.exitCode = WAITING;
  });
}
