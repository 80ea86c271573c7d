// Text, as the migration that added the column has it.
import type { Kysely } from "kysely";
import type { Database } from "../model/tables.ts";
import { query } from "../queries/database.ts";

const text = `
  update orders set overpaid_amount = held.amount
  from (
    select o.id, case when o.status <> 'CONFIRMED' then sum(p.amount - p.refunded_amount)
      else least(sum(p.amount - p.refunded_amount), greatest(0,
        sum(p.amount - p.refunded_amount - p.rounding_amount + p.refunded_rounding_amount) - (
          select sum(i.total_amount - i.refunded_amount) from order_items i
          where i.shop_id = $1 and i.order_id = o.id
        ))) end as amount
    from orders o join payments p on p.shop_id = $1 and p.order_id = o.id
    where p.status = 'CAPTURED' and o.shop_id = $1
    group by o.shop_id, o.id
  ) held
  where orders.shop_id = $1 and orders.id = held.id and held.amount > 0`;

/** Computes what the orders of a shop hold beyond their price, which releases to 1.1 did not store. */
export async function restateOverpaid(database: Kysely<Database>, shopId: string): Promise<void> {
  await query(database, { text }, [shopId]);
}
