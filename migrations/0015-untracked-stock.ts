import { Migration } from "@mikro-orm/migrations";

/** Variants without stock, such as services. */
export class Migration0015UntrackedStock extends Migration {
  override up(): void {
    this.addSql("alter table variants add column is_stock_tracked boolean not null default true");
  }
}
