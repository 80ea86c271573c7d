import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { requireApiAccess } from "../../access/permissions.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import { kysely } from "../../queries/database.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";
import { lockReplayTarget } from "./lock-replay-target.ts";
import { takeDelivery } from "./take-deliveries.sql.ts";
import { withoutQuery } from "../endpoints/target-url.ts";
import { sendNow } from "../jobs/send-jobs.sql.ts";

interface LockedDelivery {
  endpointId: string;
  eventId: string;
  status: DeliveryStatus;
  isTest: boolean;
}

/**
 * Replays a failed or successful delivery immediately, with all attempts. Does nothing when it is pending.
 *
 * @throws AppError NOT_FOUND; PLAN_FORBIDS; INVALID_STATE for a test event, or when the endpoint is disabled or was
 *   deleted
 */
export async function replayDelivery(operation: Operation<CurrentShop>, id: string): Promise<void> {
  requireApiAccess(operation.shop);
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const { endpointId, eventId, status, isTest } = await lockDelivery(em, shop.id, id);
    if (isTest) {
      throw new AppError("INVALID_STATE", "Test events cannot be replayed", {
        hint: "Send another one with sendTestEvent.",
      });
    }
    const { url } = await lockReplayTarget(em, shop.id, endpointId);
    if (status === DeliveryStatus.PENDING) return;
    await takeDelivery(kysely(em), { shopId: shop.id, id });
    await sendNow(em, { shopId: shop.id, endpointId });
    await recordAudit(inside, {
      action: AuditAction.WEBHOOK_DELIVERY_REPLAYED,
      target: { id: endpointId, name: withoutQuery(url) },
      details: { deliveryId: id, eventId, status },
    });
  });
}

/**
 * Locks a delivery against other replays and retention until the transaction ends. Its state is locked before the
 * endpoint, in the order of recording attempts.
 */
async function lockDelivery(em: EntityManager, shopId: string, id: string): Promise<LockedDelivery> {
  const database = kysely(em);
  const delivery = isId(id)
    ? await database
        .selectFrom("deliveries")
        .select(["endpoint_id as endpointId", "event_id as eventId", "is_test as isTest"])
        .where("shop_id", "=", shopId)
        .where("id", "=", id)
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined;
  if (!delivery) throw new AppError("NOT_FOUND", "Webhook delivery not found");
  const outstanding = await database
    .selectFrom("outstanding_deliveries")
    .select("status")
    .where("shop_id", "=", shopId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return { ...delivery, status: outstanding?.status ?? DeliveryStatus.SUCCEEDED };
}
