import { Migration } from "@mikro-orm/migrations";

/** Who fetched the events of pull endpoints. Release 1.1.0 does not write it. */
export class Migration0018FetchedEvents extends Migration {
  // Locks each table alone: an attempt is recorded in both.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`alter table outstanding_deliveries add column if not exists fetched_by text collate "C"`);
    this.addSql(`alter table delivery_attempts add column if not exists fetched_by text collate "C"`);
  }
}
