import { migrations } from "../../../migrations/index.ts";
import type { App } from "../../app.ts";
import { listMigrations, namesOf } from "../../platform/postgres/schema-version.ts";
import { progress } from "../../platform/terminal.ts";
import { printRows, type OutputOptions } from "../output.ts";
import { runOnce } from "../open-app.ts";

/** The exit code when migrations are pending. 1 means an error. */
const WAITING = 2;

/** Migrates the database, or prints the status of its migrations. `wait`: the seconds to wait for the database. */
export function migrate({ status, wait, ...output }: OutputOptions & { status?: true; wait: number }): Promise<void> {
  const list = ({ core }: App) => listMigrations(core.orm.em.getKysely(), migrations);
  const work = async (app: App) => {
    const states = await list(app);
    const waiting = namesOf(states, "WAITING");
    if (status) {
      printRows(states, output);
      if (waiting.length > 0) process.exitCode = WAITING;
      return;
    }
    await app.migrate();
    const applied = waiting.length === 1 ? "1 migration" : `${waiting.length} migrations`;
    progress(waiting.length === 0 ? "Already up to date" : `Applied ${applied}: ${waiting.join(", ")}`);
  };
  return runOnce(work, "database", { patience: status ? undefined : wait });
}
