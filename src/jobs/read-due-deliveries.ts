import type { Kysely } from "kysely";
import { runStatement, type Database } from "../core/database.ts";
import { hasApiAccess } from "../core/shops/current-shop.ts";
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

/** Where an endpoint's deliveries go, and how it is. */
interface Target extends SealedSecrets {
  url: string;
  /** Whether one delivery is to ask if the endpoint, which is sent nothing else, is well again. */
  isProbe: boolean;
  /** Whether the endpoint has something to be forgiven when a delivery succeeds. */
  isFailing: boolean;
  /** Whether anything may be sent besides tests. */
  isOpen: boolean;
}

/** A delivery whose time has come. */
export interface DueDelivery extends Pick<Target, "isProbe" | "isFailing"> {
  shopId: string;
  id: string;
  endpointId: string;
  eventId: string;
  topic: string;
  body: string;
  /** Attempts before this one. */
  attempts: number;
  /** Null for a test. */
  dueAt: Date | null;
  /** Whether staff asked for it: it is tried once, and says nothing of the endpoint when it fails. */
  isTest: boolean;
  target: Target;
}

const findTargets = `
  select shop_id as "shopId", endpoint.id, url, sealed_secret as "sealedSecret", secret_active_at as "secretActiveAt",
    sealed_old_secret as "sealedOldSecret", old_secret_expires_at as "oldSecretExpiresAt",
    probe_at is not null or disabled_at is not null as "isProbe", consecutive_failures > 0 as "isFailing",
    not paused and disabled_at is null and coalesce(probe_at <= now(), true) and ${hasApiAccess} as "isOpen"
  from unnest($1::text[], $2::text[]) as asked (shop, asked_id)
  join webhook_endpoints endpoint on shop_id = shop and endpoint.id = asked_id
  join shops on shops.id = shop`;

// The lists are read only as far as there are places: tests, of which there are a few, and then what is due.
const findDeliveries = `
  select due.shop_id as "shopId", due.id, due.endpoint_id as "endpointId", event_id as "eventId", due.topic,
    (select body from events where events.shop_id = due.shop_id and events.id = event_id),
    attempts, next_attempt_at as "dueAt", is_test as "isTest"
  from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::timestamptz[])
    as asked (shop, endpoint, places, due_places, due_from)
  cross join lateral (
    select * from (
      select * from outstanding_deliveries
      where shop_id = asked.shop and endpoint_id = asked.endpoint and is_test and status = 'PENDING'
        and coalesce(next_attempt_at, now()) <= now() and id not in (select unnest($6::text[]))
    ) test
    union all
    select * from (
      select * from outstanding_deliveries
      where shop_id = asked.shop and endpoint_id = asked.endpoint and status = 'PENDING'
        and next_attempt_at between coalesce(asked.due_from, '-infinity') and now() and not is_test
        and id not in (select unnest($6::text[]))
      order by next_attempt_at limit asked.due_places
    ) other
    limit asked.places
  ) due
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
  return { due: held.length > 0 ? await readHeld(session, held) : [], elsewhere };
}

async function readHeld(session: WorkerSession, endpoints: readonly EndpointToRead[]): Promise<DueDelivery[]> {
  const shopIds = endpoints.map(({ shopId }) => shopId);
  const ids = endpoints.map(({ endpointId }) => endpointId);
  // Once for each endpoint, not with each delivery.
  const targets = new Map(
    (await session.query<Target>(findTargets, [shopIds, ids])).map((target) => [target.id, target]),
  );
  const due = await session.query<Omit<DueDelivery, "target" | "isProbe" | "isFailing">>(findDeliveries, [
    shopIds,
    ids,
    endpoints.map(({ endpointId, places }) => (targets.has(endpointId) ? places : 0)),
    endpoints.map(({ endpointId, places }) => duePlaces(targets.get(endpointId), places)),
    endpoints.map(({ dueFrom }) => dueFrom),
    endpoints.flatMap(({ except }) => except),
  ]);
  return due.map((delivery) => {
    const target = targets.get(delivery.endpointId)!;
    return Object.assign(delivery, { target, isProbe: target.isProbe, isFailing: target.isFailing });
  });
}

function duePlaces(target: Target | undefined, places: number): number {
  if (!target?.isOpen) return 0;
  return target.isProbe ? 1 : places;
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const { first = [], second = [] } = Object.groupBy(items, (item) => (isFirst(item) ? "first" : "second"));
  return [first, second];
}

/** What could not be attempted, for a fault of ours, is not tried at once again, for the fault may be lasting. */
export async function putOffDelivery(database: Kysely<Database>, { shopId, id }: DueDelivery): Promise<void> {
  await runStatement(
    database,
    `update outstanding_deliveries set next_attempt_at = now() + interval '5 minutes'
    where shop_id = $1 and id = $2 and status = 'PENDING'`,
    [shopId, id],
  );
}
