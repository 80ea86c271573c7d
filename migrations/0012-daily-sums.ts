import { Migration } from "@mikro-orm/migrations";

/** The sales and refunds of a day are summed from an index alone, because Admin's Home polls them. */
export class Migration0012DailySums extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("drop index concurrently if exists orders_sold");
    this.addSql(`
      create index concurrently orders_sold on orders (shop_id, created_at) include (total_amount)
      where status <> 'CANCELLED'`);
    this.addSql("drop index concurrently if exists refunds_made");
    this.addSql("create index concurrently refunds_made on refunds (shop_id, created_at) include (amount)");
  }
}
