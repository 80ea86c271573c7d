import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, runStatement } from "../../queries/database.ts";
import { addSendJobs } from "./send-jobs.ts";

// One job for all that is due, and one for each later second: replays have a moment each. Behind the jobs of others, for
// there may be many.
const statement = addSendJobs(
  "$1",
  `(
    select endpoint_id, run_at, 1::int2 as priority from (
      select endpoint_id, date_trunc('second', next_attempt_at) + interval '1 second' as moment
      from outstanding_deliveries where shop_id = $1 and status = 'PENDING'
      union all
      select id, probe_at from webhook_endpoints where shop_id = $1 and probe_at is not null
    ) outstanding
    cross join lateral (select case when moment > now() then moment end as run_at) later
    group by endpoint_id, run_at
  ) moments`,
);

/** Adds jobs for everything that the shop's endpoints are still to be sent, as if there were none. */
export async function sendOutstanding(em: EntityManager, shopId: string): Promise<void> {
  await runStatement(kysely(em), statement, [shopId]);
}
