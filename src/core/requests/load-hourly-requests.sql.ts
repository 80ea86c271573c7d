// Text, since Kysely has no series of hours to join.
import type { Kysely } from "kysely";
import { invalidInput } from "../model/errors.ts";
import type { HourlyRequests } from "../model/requests/hourly-requests.entity.ts";
import type { Database } from "../model/tables.ts";
import { checkCount } from "../queries/list.ts";
import { query } from "../queries/database.ts";

/** A week. */
export const MAX_HOURS = 168;

const text = `
  select asked_hour as hour, coalesce(requests, 0) as requests, coalesce(client_errors, 0) as "clientErrors",
    coalesce(server_errors, 0) as "serverErrors"
  from date_trunc('hour', now(), 'UTC') as this_hour
  cross join generate_series(this_hour - ($2::int - 1) * interval '1 hour', this_hour, interval '1 hour') as asked_hour
  left join hourly_requests on shop_id = $1 and hour = asked_hour
  order by asked_hour`;

/** Counts a shop's requests in each of the last hours. @throws AppError VALIDATION_FAILED */
export async function loadHourlyRequests(
  database: Kysely<Database>,
  shopId: string,
  hours: number,
): Promise<Omit<HourlyRequests, "shopId">[]> {
  const issues = checkCount("hours", hours, MAX_HOURS);
  if (issues.length > 0) throw invalidInput(issues);
  return query(database, { name: "load hourly requests", text }, [shopId, hours]);
}
