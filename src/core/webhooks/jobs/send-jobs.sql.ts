// Text, since a function of graphile-worker adds jobs from an array of a composite type.
import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, query } from "../../queries/database.ts";

/** The task of graphile-worker that sends an endpoint's due deliveries. */
export const SEND_WEBHOOKS = "send-webhooks";

/** The payload of its jobs. */
export interface SendJob {
  shopId: string;
  endpointId: string;
  /** The trace parent of the event, if traces are on. */
  traceParent?: string;
  /**
   * The job looks again until transactions before this one have ended, because some may have added deliveries and no
   * job: see `IS_BUSY`. `now` stands for the transaction that adds the job.
   */
  until?: string;
}

/**
 * SQL: adds a job for each row of `rows`, with its `endpoint_id`, `run_at` (null for now) and `priority`. The endpoint
 * is also the job's flag, by which it is found. There is one job per endpoint and later time. Immediate jobs have no
 * key, which would make all writers of a shop wait for one row.
 */
export const addSendJobs = (shopId: string, rows: string, traceParent: string, until = "null") => `
  select from (
    select array_agg(row('${SEND_WEBHOOKS}', json_strip_nulls(json_build_object('shopId', ${shopId}::text,
        'endpointId', endpoint_id, 'traceParent', ${traceParent}::text, 'until', ${until}::text)),
      null, run_at, null, endpoint_id || ' ' || extract(epoch from run_at), priority, array[endpoint_id])::graphile_worker.job_spec) as specs
    from ${rows}
  ) added cross join lateral graphile_worker.add_jobs(specs) where specs is not null`;

const addMoments = {
  name: "send at",
  text: addSendJobs(
    "$1",
    `(select endpoint_id, run_at, $4::int2 as priority from unnest($2::text[], $3::timestamptz[]) as moment (endpoint_id, run_at)
      group by endpoint_id, run_at order by endpoint_id, run_at) moments`,
    "null",
    "case $5 when 'now' then pg_current_xact_id()::text else $5 end",
  ),
};

// One moment for everything due now, and one for each later second of a replay. On a cluster, deliveries are not where the
// jobs are.
const findMoments = `
  select endpoint_id as "endpointId", run_at as "runAt" from (
    select endpoint_id, date_trunc('second', next_attempt_at) + interval '1 second' as moment
    from outstanding_deliveries where shop_id = $1 and status = 'PENDING'
      and endpoint_id not in (select id from webhook_endpoints where shop_id = $1 and pull_paused is not null)
    union all
    select id, probe_at from webhook_endpoints where shop_id = $1 and probe_at is not null
  ) outstanding
  cross join lateral (select case when moment > now() then moment end as run_at) later
  group by endpoint_id, run_at`;

/** A time at which an endpoint needs a job. Null is now. */
export interface Moment {
  endpointId: string;
  runAt: Date | null;
}

/**
 * Adds jobs for endpoints of a shop at these times, in the transaction that makes deliveries due. Jobs with a priority of
 * 1 run after others.
 */
export async function sendAt(
  em: EntityManager,
  shopId: string,
  moments: readonly Moment[],
  { priority = 0, until }: { priority?: number } & Pick<SendJob, "until"> = {},
): Promise<void> {
  const [endpointIds, times] = [moments.map(({ endpointId }) => endpointId), moments.map(({ runAt }) => runAt)];
  await query(kysely(em), addMoments, [shopId, endpointIds, times, priority, until]);
}

/** Adds a job for an endpoint, immediately. */
export async function sendNow(em: EntityManager, { shopId, endpointId }: SendJob): Promise<void> {
  await sendAt(em, shopId, [{ endpointId, runAt: null }]);
}

/** The channel on which processes with waiting callers listen. Its payload is the endpoint, or a check with its results. */
export const ARRIVALS = "merchant_api_arrivals";

const announce = {
  name: "announce arrivals",
  isPipelined: true,
  text: `select pg_notify('${ARRIVALS}', endpoint_id) from unnest($1::text[]) as endpoint_id`,
};

/**
 * Wakes callers that wait for events of these pull endpoints once the transaction commits. Only for pull endpoints,
 * because PostgreSQL commits transactions that notify one after another.
 */
export async function announceArrivals(em: EntityManager, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length > 0) await query(kysely(em), announce, [endpointIds]);
}

/** Adds jobs for all outstanding deliveries of the shop that are sent, as if none existed. */
export async function sendOutstanding(em: EntityManager, shopId: string): Promise<void> {
  const moments = await query<Moment>(kysely(em), { text: findMoments }, [shopId]);
  // There may be many.
  await sendAt(em, shopId, moments, { priority: 1 });
}

/** The task of graphile-worker that checks a receiver. */
export const CHECK_RECEIVER = "check-receiver";

/** The payload of its jobs. */
export interface CheckJob {
  shopId: string;
  endpointId: string;
  /** The name under which the caller waits for the results. */
  checkId: string;
}

const addCheck = { text: `select graphile_worker.add_job('${CHECK_RECEIVER}', payload => $1::json)` };

export async function addCheckJob(em: EntityManager, job: CheckJob): Promise<void> {
  await query(kysely(em), addCheck, [JSON.stringify(job)]);
}
