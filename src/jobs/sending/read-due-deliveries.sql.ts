// Text, since one statement reads for many endpoints, each list only up to the number of places, with limits that depend
// on the endpoint, and with plans that fit any number of outstanding deliveries.
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

/** What the loop of an endpoint asks for. */
export interface ReadRequest extends Pick<SendJob, "shopId" | "endpointId"> {
  /** Deliveries wanted of a kind. */
  places: number;
  /** Deliveries that it has. */
  except: readonly string[];
}

export interface DueDeliveries {
  deliveries: DueDelivery[];
  /** True when there may be more than were read. */
  hasMore: boolean;
  /** True when pending deliveries must fail, because they cannot be sent. */
  isUndeliverable: boolean;
  /** True while the circuit is open. */
  isSuspended: boolean;
}

/** Deliveries that a statement reads at most of a kind, which bounds its time and memory, unless each endpoint gets one. */
const MAX_READ = 200;

/** SQL: pending deliveries of the endpoint that its loop does not have. */
const pending = `shop_id = $1 and endpoint_id = target."endpointId" and status = 'PENDING' and id <> all(except_ids)`;

/** SQL: due deliveries of a suspended topic. */
const probe = (order: string) => `
  select * from outstanding_deliveries
  where ${pending} and topic = suspended_topic and next_attempt_at <= now() and not is_test
  order by next_attempt_at ${order}`;

const topics = `'{${topicNames.join(",")}}'::text[]`;

// Returns each endpoint with its deliveries, or alone when nothing is due. Each list is read only up to the number of
// places: the few tests first, then due deliveries. While the circuit is open, suspended topics have many that wait, so
// other topics are read by an index that starts with the topic.
const findDue = {
  name: "find due deliveries",
  text: `
  select "shopId", "endpointId", url, "sealedSecret", "secretActiveAt", "sealedOldSecret", "oldSecretExpiresAt",
    "sealedHeaders", "isFailing", "isUndeliverable", "isSuspended", due.id, event_id as "eventId", topic, attempts, is_test as "isTest",
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
      shops.closed_at is not null or pull_paused is not null as "isClosed", probe_at is not null as "isSuspended",
      places, string_to_array(excepted, ' ') as except_ids
    -- Sub-selects hide the number of endpoints from the planner. Otherwise it plans each run, in 1.2 ms.
    from unnest((select $2::text[]), (select $3::int[]), (select $4::text[])) as asked (endpoint_id, places, excepted)
    join webhook_endpoints endpoint on shop_id = $1 and endpoint.id = asked.endpoint_id
    join shops on shops.id = $1
    -- Keeps PostgreSQL from splitting the ids again for each delivery.
    offset 0
  ) target
  left join lateral (
    select * from (
      select * from outstanding_deliveries
      where ${pending} and is_test and coalesce(next_attempt_at, now()) <= now()
      limit places
    ) test
    union all
    select * from (
      select * from outstanding_deliveries
      where ${pending} and next_attempt_at <= now() and not is_test
      order by next_attempt_at
      limit case when target."isOpen" and probe_at is null then places else 0 end
    ) other
    union all
    select * from (
      select answered.* from unnest(array(select unnest(${topics}) except select unnest(suspended))) as answered_topic
      cross join lateral (
        select * from outstanding_deliveries
        where ${pending} and topic = answered_topic and next_attempt_at <= now() and not is_test
        order by created_at
        limit case when target."isOpen" and probe_at is not null then places else 0 end
      ) answered limit places
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

type DueRow = (DueDelivery | { id: null; endpointId: string }) & Pick<DueDeliveries, "isUndeliverable" | "isSuspended">;

/**
 * Reads the due deliveries of endpoints of one shop, oldest first, except those in `except`. While a circuit is open,
 * it reads those of topics that are not suspended, and one of each other topic once the probe is due. Tests come first,
 * in any state.
 */
export async function readDueDeliveries(
  database: Kysely<Database>,
  shopId: string,
  requests: readonly ReadRequest[],
): Promise<DueDeliveries[]> {
  const share = Math.max(1, Math.floor(MAX_READ / requests.length));
  const places = requests.map((request) => Math.min(request.places, share));
  const excepted = requests.map(({ except }) => except.join(" "));
  const ids = requests.map(({ endpointId }) => endpointId);
  const rows = await query<DueRow>(database, findDue, [shopId, ids, places, excepted]);
  const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId);
  return requests.map(({ endpointId }, index) => {
    // Without a row, it was deleted.
    const [first = { isUndeliverable: true, isSuspended: false }, ...others] = byEndpoint.get(endpointId) ?? [];
    const deliveries = [first, ...others].filter((row) => "id" in row && row.id !== null) as DueDelivery[];
    const { isUndeliverable, isSuspended } = first;
    return { deliveries, hasMore: deliveries.length >= places[index]!, isUndeliverable, isSuspended };
  });
}

const postpone = `
  update outstanding_deliveries set next_attempt_at = now() + interval '5 minutes'
  where shop_id = $1 and id = $2 and status = 'PENDING' returning next_attempt_at as "nextAttemptAt"`;

/** Postpones a delivery after a fault of this process, which may last. */
export async function postponeDelivery(em: EntityManager, { shopId, endpointId, id }: DueDelivery): Promise<void> {
  await transactional(em, async (transaction) => {
    const rows = await query<{ nextAttemptAt: Date }>(kysely(transaction), { text: postpone }, [shopId, id]);
    await sendAt(
      transaction,
      shopId,
      rows.map(({ nextAttemptAt: runAt }) => ({ endpointId, runAt })),
    );
  });
}
