import { Migration } from "@mikro-orm/migrations";

/** What each order holds beyond its price, so that a list and a polled figure find the money to give back. */
export class Migration0016OverpaidOrders extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("alter table orders add column if not exists overpaid_amount numeric not null default 0");
    this.addSql(restateOverpaid(() => ""));
    // Earlier refunds count whole. They only matter to sums of the last days.
    this.addSql("alter table refunds add column if not exists surplus_amount numeric not null default 0");
    this.addSql("drop index concurrently if exists orders_overpaid");
    this.addSql(`
      create index concurrently orders_overpaid on orders (shop_id, created_at desc, id desc)
      where overpaid_amount > 0`);
  }
}

/** SQL: stores what orders hold. `ofShop` is a condition that limits a table to one shop. */
export const restateOverpaid = (ofShop: (table: string) => string) => `
      update orders set overpaid_amount = held.amount
      from (
        select o.shop_id, o.id, case when o.status <> 'CONFIRMED' then sum(p.amount - p.refunded_amount)
          else least(sum(p.amount - p.refunded_amount), greatest(0,
            sum(p.amount - p.refunded_amount - p.rounding_amount + p.refunded_rounding_amount) - (
              select sum(i.total_amount - i.refunded_amount) from order_items i
              where i.shop_id = o.shop_id and i.order_id = o.id${ofShop("i")}
            ))) end as amount
        from orders o join payments p on p.shop_id = o.shop_id and p.order_id = o.id${ofShop("p")}
        where p.status = 'CAPTURED'${ofShop("o")}
        group by o.shop_id, o.id
      ) held
      where orders.shop_id = held.shop_id and orders.id = held.id and held.amount > 0${ofShop("orders")}`;
