// Text, since each list is read only up to the number of places, with limits that depend on the endpoint, and with
// plans that fit any number of outstanding deliveries.
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { kysely, query } from "../../core/queries/database.ts";
import { transactional } from "../../core/queries/transaction.ts";
import type { Database } from "../../core/model/tables.ts";
import { hasApiAccess } from "../../core/model/shops/current-shop.ts";
import { suspendedTopics } from "../../core/webhooks/health/endpoint-health.ts";
import { sendAt, type SendJob } from "../../core/webhooks/jobs/send-jobs.sql.ts";
import { topicNames } from "../../core/model/webhooks/topics.ts";
import type { DescribedEvent } from "../../core/webhooks/deliveries/delivery-headers.ts";
import type { SealedHeaders } from "../../core/webhooks/endpoints/endpoint-headers.ts";
import type { SealedSecrets } from "../../core/webhooks/endpoints/signing-secrets.ts";

/** A due delivery with the current state of its endpoint. */
export interface DueDelivery extends Omit<SealedSecrets & SealedHeaders, "id">, DescribedEvent {
  id: string;
  endpointId: string;
  url: string;
  /** True for a suspended topic. Of each, one delivery is sent at a time until one succeeds. */
  isProbe: boolean;
  /** True when a success has failures to clear. */
  isFailing: boolean;
  body: string;
  /** The trace parent of the event, if traces are on. */
  traceParent: string | null;
  /** Attempts before this one. */
  attempts: number;
}

export interface DueDeliveries {
  deliveries: DueDelivery[];
  /** True when pending deliveries must fail, because they cannot be sent. */
  isUndeliverable: boolean;
}

/** SQL: due deliveries of a suspended topic. */
const probe = (order: string) => `
  select * from outstanding_deliveries
  where shop_id = $1 and endpoint_id = $2 and topic = suspended_topic and status = 'PENDING'
    and next_attempt_at <= now() and not is_test and id <> all($4::text[])
  order by next_attempt_at ${order}`;

const topics = `'{${topicNames.join(",")}}'::text[]`;

// Returns the endpoint with each delivery, or alone when nothing is due. Each list is read only up to the number of
// places: the few tests first, then due deliveries. While the circuit is open, suspended topics have many that wait, so
// other topics are read by an index that starts with the topic.
const findDue = {
  name: "find due deliveries",
  text: `
  select target.*, due.id, event_id as "eventId", topic, attempts, is_test as "isTest",
    disabled_at is not null or probe_at is not null and topic = any(suspended) as "isProbe",
    body, changed, actor_id as "actorId", trace_parent as "traceParent"
  from (
    select shop_id as "shopId", endpoint.id as "endpointId", url, sealed_secret as "sealedSecret", secret_active_at as "secretActiveAt",
      sealed_old_secret as "sealedOldSecret", old_secret_expires_at as "oldSecretExpiresAt",
      sealed_headers as "sealedHeaders",
      consecutive_failures > 0 as "isFailing", probe_at, failed_probes, disabled_at,
      ${suspendedTopics} as suspended,
      not paused and disabled_at is null and ${hasApiAccess} as "isOpen",
      (disabled_at is not null or not ${hasApiAccess}) and shops.closed_at is null as "isUndeliverable",
      shops.closed_at is not null or pull_paused is not null as "isClosed"
    from webhook_endpoints endpoint join shops on shops.id = $1
    where shop_id = $1 and endpoint.id = $2
  ) target
  left join lateral (
    select * from (
      select * from outstanding_deliveries
      where shop_id = $1 and endpoint_id = $2 and is_test and status = 'PENDING'
        and coalesce(next_attempt_at, now()) <= now() and id <> all($4::text[])
      limit $3
    ) test
    union all
    select * from (
      select * from outstanding_deliveries
      where shop_id = $1 and endpoint_id = $2 and status = 'PENDING' and next_attempt_at <= now() and not is_test
        and id <> all($4::text[])
      order by next_attempt_at
      limit case when target."isOpen" and probe_at is null then $3::int else 0 end
    ) other
    union all
    select * from (
      select answered.* from unnest(array(select unnest(${topics}) except select unnest(suspended))) as answered_topic
      cross join lateral (
        select * from outstanding_deliveries
        where shop_id = $1 and endpoint_id = $2 and topic = answered_topic and status = 'PENDING'
          and next_attempt_at <= now() and not is_test and id <> all($4::text[])
        order by created_at
        limit case when target."isOpen" and probe_at is not null then $3::int else 0 end
      ) answered limit $3
    ) answered
    union all
    select probe.* from unnest(suspended) as suspended_topic
    cross join lateral (
      -- A failed probe becomes the newest. So the oldest ones take turns, and a new one does not wait for them.
      (${probe("")} limit case when target."isOpen" and probe_at <= now() and failed_probes % 2 = 0 then 1 else 0 end)
      union all
      (${probe("desc")} limit case when target."isOpen" and probe_at <= now() and failed_probes % 2 = 1 then 1 else 0 end)
    ) probe
  ) due on not "isClosed"
  -- Forces a lookup by key, even if PostgreSQL expects few deliveries.
  left join lateral (
    select body, changed, actor_id, trace_parent from events where events.shop_id = $1 and events.id = due.event_id offset 0
  ) event on true
  order by is_test desc, "isProbe", next_attempt_at, due.id`,
};

/**
 * Reads the due deliveries of an endpoint, oldest first: at most `places` of a kind, without those in `except`. While the
 * circuit is open, it reads those of topics that are not suspended, and one of each other topic once the probe is due.
 * Tests come first, in any state.
 */
export async function readDueDeliveries(
  database: Kysely<Database>,
  { shopId, endpointId }: SendJob,
  { places, except }: { places: number; except: readonly string[] },
): Promise<DueDeliveries> {
  const rows = await query<DueRow>(database, findDue, [shopId, endpointId, places, except]);
  return { isUndeliverable: rows[0]?.isUndeliverable ?? true, deliveries: rows.filter((row) => row.id !== null) };
}

type DueRow = (DueDelivery | { id: null }) & Pick<DueDeliveries, "isUndeliverable">;

const postpone = `
  update outstanding_deliveries set next_attempt_at = now() + interval '5 minutes'
  where shop_id = $1 and id = $2 and status = 'PENDING' returning next_attempt_at as "nextAttemptAt"`;

/** Postpones a delivery after a fault of this process, which may last. */
export async function postponeDelivery(em: EntityManager, { shopId, endpointId, id }: DueDelivery): Promise<void> {
  await transactional(em, async (transaction) => {
    const rows = await query<{ nextAttemptAt: Date }>(kysely(transaction), { text: postpone }, [shopId, id]);
    await sendAt(
      transaction,
      { shopId, endpointId },
      rows.map(({ nextAttemptAt }) => nextAttemptAt),
    );
  });
}
