import { Migration } from "@mikro-orm/migrations";

// Separate from their columns, as Citus requires. Not validated, because all rows have null.
export class Migration0002Till extends Migration {
  override up(): void {
    // Percent, for lines of orders that name no tax.
    this.addSql("alter table shops add column default_tax_rate numeric");
    this.addSql(`
      alter table shops add constraint shops_default_tax_rate_check
        check (default_tax_rate between 0 and 100 and scale(default_tax_rate) <= 4) not valid`);
    // The cash that the customer handed over.
    this.addSql("alter table payments add column tendered numeric");
    this.addSql(`
      alter table payments add constraint payments_tendered_check
        check (tendered is null or method = 'CASH' and tendered >= amount
          and tendered < 1e21 and scale(tendered) <= 4) not valid`);
  }
}
