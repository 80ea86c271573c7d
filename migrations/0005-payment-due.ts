import { Migration } from "@mikro-orm/migrations";

export class Migration0005PaymentDue extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  // Like those of unpaid and unfulfilled orders: the figure on Admin's Home is polled.
  override up(): void {
    this.addSql("drop index concurrently if exists orders_payment_due");
    this.addSql(`
      create index concurrently orders_payment_due on orders (shop_id, created_at desc, id desc)
      where status = 'CONFIRMED' and payment_status in ('UNPAID', 'PARTIALLY_PAID')`);
  }
}
