import type { Kysely } from "kysely";
import { runStatement, type Database } from "../core/database.ts";
import type { SealedSecrets } from "../core/webhooks/signing-secrets.ts";

/** An endpoint, and how many more attempts at it this worker may begin. */
export interface EndpointPlaces {
  shopId: string;
  endpointId: string;
  places: number;
}

/** A delivery that this worker alone attempts. */
export interface ClaimedDelivery extends Omit<SealedSecrets, "id"> {
  id: string;
  endpointId: string;
  eventId: string;
  topic: string;
  body: string;
  url: string;
  /** The number of the worker that took it. */
  worker: number;
  /** Attempts before this one. */
  attempts: number;
  /** Whether staff asked for it: it is tried once, and says nothing of the endpoint when it fails. */
  isTest: boolean;
  /** Whether it asks if the endpoint, which is sent nothing else, is well again. */
  isProbe: boolean;
  /** Whether the endpoint has something to be forgiven when this one succeeds. */
  isFailing: boolean;
}

const statement = `
  with endpoint as (
    select asked.places, webhook_endpoints.*,
      case when paused or disabled_at is not null or probe_at > now() then 0 when probe_at is null then asked.places
        else 1 end as due_places
    from unnest($1::text[], $2::text[], $3::int[]) as asked (shop, endpoint, places)
    join webhook_endpoints on shop_id = shop and id = endpoint
  ), due as (
    -- The lists are read only as far as there are places: tests, of which there are a few, and then what is due.
    select delivery.shop_id, delivery.id from endpoint cross join lateral (
      select * from (
        select shop_id, id from deliveries
        where shop_id = endpoint.shop_id and endpoint_id = endpoint.id and is_test and status = 'PENDING'
          and leased_by is null and coalesce(next_attempt_at, now()) <= now()
        for update skip locked
      ) test
      union all
      select * from (
        select shop_id, id from deliveries
        where shop_id = endpoint.shop_id and endpoint_id = endpoint.id and status = 'PENDING' and leased_by is null
          and next_attempt_at <= now() and not is_test
        order by next_attempt_at limit endpoint.due_places
        for update skip locked
      ) other
      limit endpoint.places
    ) delivery
  ), claimed as (
    update deliveries set leased_by = $4 from due
    where deliveries.shop_id = due.shop_id and deliveries.id = due.id
    returning deliveries.shop_id, deliveries.id, deliveries.endpoint_id, deliveries.event_id, deliveries.attempts,
      deliveries.is_test
  )
  select claimed.shop_id as "shopId", claimed.id, endpoint_id as "endpointId", event_id as "eventId", topic, body,
    attempts, is_test as "isTest", url, sealed_secret as "sealedSecret", secret_active_at as "secretActiveAt",
    sealed_old_secret as "sealedOldSecret", old_secret_expires_at as "oldSecretExpiresAt",
    $4::int as worker, probe_at is not null or disabled_at is not null as "isProbe", consecutive_failures > 0 as "isFailing"
  from claimed
  join endpoint on endpoint.shop_id = claimed.shop_id and endpoint.id = endpoint_id
  join events on events.shop_id = claimed.shop_id and events.id = event_id
  order by claimed.id`;

/** Gives back what could not be attempted for a fault of ours: not at once, for the fault may be lasting. */
export async function releaseDelivery(
  database: Kysely<Database>,
  { shopId, id, worker }: ClaimedDelivery,
): Promise<void> {
  await runStatement(
    database,
    `update deliveries set leased_by = null, next_attempt_at = now() + interval '5 minutes'
    where shop_id = $1 and id = $2 and leased_by = $3`,
    [shopId, id, worker],
  );
}

/**
 * Takes what is due at these endpoints, as much as there are places: the longest due first. At an endpoint
 * whose circuit is open it takes one delivery, once the time of its probe has come. Tests go first, and always.
 */
export function claimDeliveries(
  database: Kysely<Database>,
  worker: number,
  endpoints: readonly EndpointPlaces[],
): Promise<ClaimedDelivery[]> {
  return runStatement<ClaimedDelivery>(database, statement, [
    endpoints.map(({ shopId }) => shopId),
    endpoints.map(({ endpointId }) => endpointId),
    endpoints.map(({ places }) => places),
    worker,
  ]);
}
