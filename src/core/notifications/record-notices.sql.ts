// Text, since a function of graphile-worker adds jobs from an array of a composite type, and notices are passed as JSON.
import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, query } from "../queries/database.ts";
import type { NotificationKind } from "../model/notifications/notification-kind.ts";

/** The task of graphile-worker that mails new notices to a shop's staff. */
export const SEND_DIGEST = "send-digest";

/** The payload of its jobs. */
export interface DigestJob {
  shopId: string;
  kind: NotificationKind;
}

/** The delay of the first mail, so that it includes notices that follow immediately. */
const FIRST_DELAY = "1 minute";
const DIGEST_INTERVAL = "1 hour";

export interface NewNotice {
  kind: NotificationKind;
  target: { id: string; name: string };
  /** How often it happened; one by default. */
  count?: number;
  /** Must not contain secrets, because they are mailed. */
  details?: Record<string, string>;
}

const insert = `
  insert into notices as known (shop_id, kind, target_id, target_name, count, details, created_at)
  select $1, kind, target_id, target_name, count, details, now()
  from json_to_recordset($2) as notice (kind text, target_id text, target_name text, count int, details jsonb)
  order by kind, target_id
  on conflict (shop_id, kind, target_id) do update set
    target_name = excluded.target_name, details = excluded.details, created_at = excluded.created_at, mailed_at = null,
    count = excluded.count + case when known.mailed_at is null then known.count else 0 end`;

/** SQL: finds the kinds with notices that no email includes. On a cluster they are elsewhere than the jobs. */
const findPending = "select distinct kind from notices where shop_id = $1 and mailed_at is null";

/** SQL: adds a job for each of these kinds, after a delay. There is one job per shop and kind. */
const addDigests = (delay: string, keepsTime: boolean) => `
  select graphile_worker.add_jobs(specs, ${keepsTime}) from (
    select array_agg(row('${SEND_DIGEST}', json_build_object('shopId', $1::text, 'kind', kind), null,
      now() + interval '${delay}', null, 'digest ' || $1 || ' ' || kind, null, null)::graphile_worker.job_spec
      order by kind) as specs
    from unnest($2::text[]) as kind
  ) added where specs is not null`;

const callForDigests = addDigests(FIRST_DELAY, true);
const holdDigests = addDigests(DIGEST_INTERVAL, false);

/**
 * Records notices for staff in the transaction of their cause. They are mailed soon, or an hour after the last mail of
 * the same shop and kind. Without notices, it only adds missing jobs for earlier ones.
 */
export async function recordNotices(em: EntityManager, shopId: string, notices: readonly NewNotice[]): Promise<void> {
  const database = kysely(em);
  if (notices.length > 0) {
    const rows = notices.map(({ kind, target: { id, name }, count = 1, details = {} }) => {
      return { kind, target_id: id, target_name: name, count, details };
    });
    await query(database, { name: "insert notices", text: insert }, [shopId, JSON.stringify(rows)]);
  }
  const pending = await query<{ kind: string }>(database, { name: "find pending notices", text: findPending }, [
    shopId,
  ]);
  const kinds = pending.map(({ kind }) => kind);
  await query(database, { name: "call for digests", text: callForDigests }, [shopId, kinds]);
}

/** Delays the next mail of the shop and kind by an hour, in the transaction of this one. */
export async function holdNextDigest(em: EntityManager, { shopId, kind }: DigestJob): Promise<void> {
  await query(kysely(em), { text: holdDigests }, [shopId, [kind]]);
}
