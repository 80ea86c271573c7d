import { Migration } from "@mikro-orm/migrations";

const bounds = "between '1970-01-01 00:00+00' and '9999-12-31 23:59:59.999+00'";

// Separate from their columns, as Citus requires. Not validated, because all rows have null.
export class Migration0003Erasure extends Migration {
  override up(): void {
    for (const [table, column] of [
      // When the customer's personal data was erased.
      ["customers", "erased_at"],
      // Set while the shop is being deleted: it has lost rows, so it cannot be opened or exported.
      ["shops", "deletion_started_at"],
    ]) {
      this.addSql(`alter table ${table} add column ${column} timestamptz(3)`);
      this.addSql(`alter table ${table} add constraint ${table}_${column}_check check (${column} ${bounds}) not valid`);
    }
  }
}
