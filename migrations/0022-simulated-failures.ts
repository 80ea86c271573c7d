import { Migration } from "@mikro-orm/migrations";

/** The failures that a sandbox simulates for a key. Release 1.1.0 simulates none. */
export class Migration0022SimulatedFailures extends Migration {
  override up(): void {
    this.addSql(`
      alter table api_keys
        add column failures_left integer not null default 0,
        add column failure_kind text`);
  }
}
