// Text, since it reads the jobs of graphile-worker, which has no entities here.
import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, query } from "../../core/queries/database.ts";
import { SEND_WEBHOOKS, sendNow } from "../../core/webhooks/jobs/send-jobs.sql.ts";
import { hasApiAccess } from "../../core/model/shops/current-shop.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { eachShop } from "../batches.ts";

/** How long a delivery may be due without a job. */
const GRACE = "interval '1 minute'";

const findLost = `
  select endpoint.id from webhook_endpoints endpoint join shops on shops.id = $1
  where shop_id = $1 and disabled_at is null and not paused and shops.closed_at is null and ${hasApiAccess}
    and coalesce(probe_at < now() - ${GRACE}, true)
    and exists (
      select from outstanding_deliveries outstanding
      where outstanding.shop_id = $1 and outstanding.endpoint_id = endpoint.id and outstanding.status = 'PENDING'
        and outstanding.next_attempt_at < now() - ${GRACE}
    )
    and not exists (
      select from graphile_worker.jobs
      where task_identifier = '${SEND_WEBHOOKS}' and flags ? endpoint.id and attempts < max_attempts
    )`;

/**
 * Finds due deliveries without a job, logs an error and adds the job. This only happens after a bug: a job was lost, or
 * a change made deliveries due without adding one.
 */
export async function findLostDeliveries(em: EntityManager, logger: Logger, signal: AbortSignal): Promise<void> {
  await eachShop(em, signal, async (shopId) => {
    const lost = await query<{ id: string }>(kysely(em), { text: findLost }, [shopId]);
    for (const { id: endpointId } of lost) {
      logger.error({ shopId, endpointId }, "due deliveries had no job; added one");
      await sendNow(em, { shopId, endpointId });
    }
  });
}
