// Text, since Kysely has no series of days to join.
import type { Kysely } from "kysely";
import { Field, Int, ObjectType } from "type-graphql";
import { inCurrency, type Currency } from "../../platform/money.ts";
import { invalidInput } from "../model/errors.ts";
import { DecimalScalar } from "../model/scalars.ts";
import type { Database } from "../model/tables.ts";
import { checkCount } from "../queries/list.ts";
import { query } from "../queries/database.ts";

export const MAX_DAYS = 31;

@ObjectType({ description: "The orders placed on one day.", simpleResolvers: true })
export class DailyOrders {
  @Field(() => String, { description: "The day, such as 2026-11-26." })
  day!: string;

  @Field(() => Int, { description: "The number of orders." })
  orders!: number;

  @Field(() => DecimalScalar, { description: "The sum of the orders' totals, before refunds, in the shop's currency." })
  totalAmount!: string;
}

const text = `
  select asked::date::text as day, coalesce(orders, 0) as orders, coalesce(amount, 0)::text as "totalAmount"
  from (select (now() at time zone $2)::date as today) clock
  cross join generate_series(today - ($3::int - 1), today, interval '1 day') as asked
  left join (
    select (created_at at time zone $2)::date as day, count(*)::int as orders, sum(total_amount) as amount
    from orders
    where shop_id = $1 and status <> 'CANCELLED'
      and created_at >= ((now() at time zone $2)::date - ($3::int - 1))::timestamp at time zone $2
    group by 1
  ) placed on placed.day = asked::date
  order by asked`;

/** Counts a shop's orders on each of the last days. @throws AppError VALIDATION_FAILED */
export async function loadDailyOrders(
  database: Kysely<Database>,
  shop: Currency & { id: string },
  { days, timeZone }: { days: number; timeZone: string },
): Promise<DailyOrders[]> {
  const issues = checkCount("days", days, MAX_DAYS);
  if (!isTimeZone(timeZone)) {
    issues.push({
      path: "timeZone",
      code: "invalid_value",
      message: "Must be an IANA time zone, such as Europe/Berlin",
    });
  }
  if (issues.length > 0) throw invalidInput(issues);
  const rows = await query<DailyOrders>(database, { name: "load daily orders", text }, [shop.id, timeZone, days]);
  return rows.map((row) => ({ ...row, totalAmount: inCurrency(row.totalAmount, shop) }));
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
