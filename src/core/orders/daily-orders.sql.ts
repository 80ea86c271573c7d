// Text, since Kysely has no series of days to join.
import type { Kysely } from "kysely";
import { Int, ObjectType } from "type-graphql";
import { inCurrency, type Currency } from "../../platform/money.ts";
import { invalidInput } from "../model/errors.ts";
import { field, objectOf } from "../model/fields.ts";
import { DecimalScalar } from "../model/scalars.ts";
import type { Database } from "../model/tables.ts";
import { checkRange } from "../queries/list.ts";
import { query } from "../queries/database.ts";

export const MAX_DAYS = 31;

@ObjectType({ description: "The orders placed on one day, and the refunds made on it.", simpleResolvers: true })
export class DailyOrders extends objectOf({
  day: field(String, "The day, such as 2026-11-26."),
  orders: field(Int, "The number of orders."),
  totalAmount: field(DecimalScalar, "The sum of the orders' totals, before refunds, in the shop's currency."),
  refundedAmount: field(
    DecimalScalar,
    "The sum of the prices refunded on the day, of orders from any day. To get the sales after refunds, subtract it from `totalAmount`. Money beyond the price and refunds of cancelled orders don't count.",
  ),
}) {}

// A day begins at the first of two midnights, where clocks are set back to it. Joined to the days one by one, so that an
// index has all that is read.
const text = `
  select day::text, orders, coalesce(sold, 0)::text as "totalAmount", coalesce(refunded, 0)::text as "refundedAmount"
  from (
    select asked::date as day, beginning, lead(beginning) over (order by asked) as ending
    from (select (now() at time zone $2)::date as today) clock
    cross join generate_series(today - ($3::int - 1), today + 1, interval '1 day') as asked
    cross join lateral (select asked::timestamp at time zone $2 as midnight) local
    cross join lateral (
      select case when ((midnight - interval '1 hour') at time zone $2)::date = asked::date
        then midnight - interval '1 hour' else midnight end as beginning
    ) first
  ) days
  cross join lateral (
    select count(*)::int as orders, sum(total_amount) as sold from orders
    where shop_id = $1 and status <> 'CANCELLED' and created_at >= beginning and created_at < ending
  ) sales
  cross join lateral (
    select sum(refund.amount - surplus_amount) as refunded
    from refunds refund join orders on orders.shop_id = refund.shop_id and orders.id = refund.order_id
    where refund.shop_id = $1 and refund.created_at >= beginning and refund.created_at < ending and status <> 'CANCELLED'
  ) refunds
  where ending is not null
  order by day`;

/** Counts a shop's orders on each of the last days. @throws AppError VALIDATION_FAILED */
export async function loadDailyOrders(
  database: Kysely<Database>,
  shop: Currency & { id: string },
  { days, timeZone }: { days: number; timeZone: string },
): Promise<DailyOrders[]> {
  const issues = checkRange("days", days, MAX_DAYS);
  if (!isTimeZone(timeZone)) {
    issues.push({
      path: "timeZone",
      code: "invalid_value",
      message: "Must be an IANA time zone, such as Europe/Berlin",
    });
  }
  if (issues.length > 0) throw invalidInput(issues);
  const rows = await query<DailyOrders>(database, { name: "load daily orders", text }, [shop.id, timeZone, days]);
  return rows.map(({ totalAmount, refundedAmount, ...row }) => ({
    ...row,
    totalAmount: inCurrency(totalAmount, shop),
    refundedAmount: inCurrency(refundedAmount, shop),
  }));
}

function isTimeZone(name: string): boolean {
  // PostgreSQL reads an offset such as +01:00 with the opposite sign.
  if (!/^[A-Z]/i.test(name)) return false;
  try {
    Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
