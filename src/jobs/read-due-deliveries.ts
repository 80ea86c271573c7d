import type { Kysely } from "kysely";
import { runStatement, type Database } from "../core/database.ts";
import type { SealedSecrets } from "../core/webhooks/signing-secrets.ts";
import type { EndpointKey } from "./turns.ts";
import type { WorkerSession } from "./worker-session.ts";

export interface EndpointToRead extends EndpointKey {
  /** How many deliveries to read at most. */
  places: number;
  /** Those that are known already. */
  except: string[];
  /** What was due before is left out: the index may still hold much that is done. Null for all. */
  dueFrom: Date | null;
}

/** A delivery whose time has come. */
export interface DueDelivery extends Omit<SealedSecrets, "id"> {
  id: string;
  endpointId: string;
  eventId: string;
  topic: string;
  body: string;
  url: string;
  /** Attempts before this one. */
  attempts: number;
  /** Null for a test. */
  dueAt: Date | null;
  /** Whether staff asked for it: it is tried once, and says nothing of the endpoint when it fails. */
  isTest: boolean;
  /** Whether it asks if the endpoint, which is sent nothing else, is well again. */
  isProbe: boolean;
  /** Whether the endpoint has something to be forgiven when this one succeeds. */
  isFailing: boolean;
}

const statement = `
  with endpoint as (
    select asked.places, coalesce(due_from, '-infinity') as due_from, webhook_endpoints.*,
      case when paused or disabled_at is not null or probe_at > now() then 0 when probe_at is null then asked.places
        else 1 end as due_places
    from unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[]) as asked (shop, endpoint, places, due_from)
    join webhook_endpoints on shop_id = shop and id = endpoint
  )
  select due.shop_id as "shopId", due.id, endpoint.id as "endpointId", event_id as "eventId", due.topic, body, attempts,
    next_attempt_at as "dueAt", is_test as "isTest", url, sealed_secret as "sealedSecret", sealed_old_secret as "sealedOldSecret",
    -- Only while the old secret is valid is it of interest when it ceases to be.
    old_secret_expires_at as "oldSecretExpiresAt",
    case when old_secret_expires_at > now() then secret_active_at end as "secretActiveAt",
    probe_at is not null or disabled_at is not null as "isProbe", consecutive_failures > 0 as "isFailing"
  from endpoint cross join lateral (
    -- The lists are read only as far as there are places: tests, of which there are a few, and then what is due.
    select * from (
      select * from deliveries
      where shop_id = endpoint.shop_id and endpoint_id = endpoint.id and is_test and status = 'PENDING'
        and coalesce(next_attempt_at, now()) <= now() and id not in (select unnest($5::text[]))
    ) test
    union all
    select * from (
      select * from deliveries
      where shop_id = endpoint.shop_id and endpoint_id = endpoint.id and status = 'PENDING'
        and next_attempt_at between due_from and now() and not is_test and id not in (select unnest($5::text[]))
      order by next_attempt_at limit endpoint.due_places
    ) other
    limit endpoint.places
  ) due
  join events on events.shop_id = due.shop_id and events.id = event_id
  order by is_test desc, next_attempt_at, due.id`;

/**
 * What is due at those of these endpoints that this worker holds or can take hold of: the longest due first. At an
 * endpoint whose circuit is open that is one delivery, once the time of its probe has come. Tests go first, and always.
 */
export async function readDueDeliveries(
  session: WorkerSession,
  endpoints: readonly EndpointToRead[],
): Promise<{ due: DueDelivery[]; elsewhere: EndpointKey[] }> {
  const unheld = endpoints.filter(({ endpointId }) => !session.holds(endpointId));
  if (unheld.length > 0) await session.take(unheld.map(({ endpointId }) => endpointId));
  const [held, elsewhere] = partition(endpoints, ({ endpointId }) => session.holds(endpointId));
  if (held.length === 0) return { due: [], elsewhere };
  const due = await session.query<DueDelivery>(statement, [
    held.map(({ shopId }) => shopId),
    held.map(({ endpointId }) => endpointId),
    held.map(({ places }) => places),
    held.map(({ dueFrom }) => dueFrom),
    held.flatMap(({ except }) => except),
  ]);
  return { due, elsewhere };
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const { first = [], second = [] } = Object.groupBy(items, (item) => (isFirst(item) ? "first" : "second"));
  return [first, second];
}

/** What could not be attempted, for a fault of ours, is not tried at once again, for the fault may be lasting. */
export async function putOffDelivery(database: Kysely<Database>, { shopId, id }: DueDelivery): Promise<void> {
  await runStatement(
    database,
    `update deliveries set next_attempt_at = now() + interval '5 minutes'
    where shop_id = $1 and id = $2 and status = 'PENDING'`,
    [shopId, id],
  );
}
