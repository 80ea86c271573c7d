import type { CoreServices } from "../core/context.ts";
import { projections, runStatement } from "../core/database.ts";

const BATCH = 1_000;

export interface EndpointKey {
  shopId: string;
  endpointId: string;
}

/** Gives each parked delivery of an endpoint that is no longer paused a job. */
export async function resumeEndpoint({ orm }: CoreServices, { shopId, endpointId }: EndpointKey): Promise<void> {
  const database = projections(orm.em);
  for (;;) {
    const [resumed] = await runStatement<{ count: number }>(
      database,
      // Reading `paused` under the lock makes this take turns with those who pause the endpoint.
      `with endpoint as (
        select shop_id, id from webhook_endpoints where shop_id = $1 and id = $2 and not paused for key share
      ), parked as (
        select delivery.shop_id, delivery.id from deliveries delivery
        join endpoint on endpoint.shop_id = delivery.shop_id and endpoint.id = endpoint_id
        where status = 'PENDING' and next_attempt_at is null
        order by delivery.id limit ${BATCH} for update of delivery skip locked
      ), resumed as (
        update deliveries set next_attempt_at = now() from parked
        where deliveries.shop_id = parked.shop_id and deliveries.id = parked.id
        returning row(
          'deliver-webhook', json_build_object('shopId', deliveries.shop_id, 'deliveryId', deliveries.id),
          null, null, null, null, null, null
        )::graphile_worker.job_spec as job
      ), added as (
        select count(*) from graphile_worker.add_jobs(array(select job from resumed))
      )
      select (select count(*) from resumed)::int as count from added`,
      [shopId, endpointId],
    );
    if (resumed!.count < BATCH) return;
  }
}
