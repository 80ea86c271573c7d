import type { EntityManager } from "@mikro-orm/postgresql";
import { OperatorError } from "../../platform/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { recordAudit, type AuditDetails } from "../audit/record-audit.ts";
import { databaseTime } from "../queries/database-time.ts";
import { lockShop } from "../shops/shops.ts";
import { SandboxState, Shop } from "../model/shops/shop.entity.ts";
import { recordNotices } from "../notifications/record-notices.sql.ts";
import { sendOutstanding } from "../webhooks/jobs/send-jobs.sql.ts";

/** The time after closing a shop in which all running work ends. Milliseconds. */
const SETTLING = 30_000;

/**
 * Closes a shop so that it can move. Until it is opened, keys, services and staff are refused and nothing is sent.
 * Running work may take half a minute to end. Does nothing when it is closed.
 *
 * @throws AppError SHOP_NOT_FOUND; OperatorError while a sandbox is being filled
 */
export async function closeShop(operation: Operation<ShopKey>): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const { name, closedAt, sandboxState } = await lockShop(em, shop.id);
    if (sandboxState === SandboxState.FILLING) throw isBeingFilled();
    if (closedAt) return;
    await em.nativeUpdate(Shop, { id: shop.id }, { closedAt: await databaseTime(em) });
    const target = { id: shop.id, name };
    await recordAudit(inside, { action: AuditAction.SHOP_CLOSED, target });
  });
}

interface OpenOptions {
  action?: AuditAction;
  details?: AuditDetails;
  /** The destination of the live move that opens the shop here. */
  movedTo?: string;
}

/**
 * Opens a closed shop, sends its pending deliveries, and notifies staff of what happened. Does nothing when it is open.
 *
 * @throws AppError SHOP_NOT_FOUND; OperatorError while the shop is being deleted or filled, and when it has moved
 */
export async function openShop(
  operation: Operation<ShopKey>,
  { action = AuditAction.SHOP_OPENED, details, movedTo: destination }: OpenOptions = {},
): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const { name, closedAt, deletionStartedAt, sandboxState } = await lockShop(em, shop.id);
    if (!closedAt) return;
    const { movedTo } = await em.findOneOrFail(Shop, { id: shop.id }, { disableIdentityMap: true });
    if (deletionStartedAt) throw isBeingDeleted(shop.id);
    if (sandboxState === SandboxState.FILLING) throw isBeingFilled();
    if (movedTo && movedTo !== destination) throw new OperatorError(`The shop has moved to ${movedTo}`);
    await em.nativeUpdate(Shop, { id: shop.id }, { closedAt: null, movedTo: null });
    await sendOutstanding(em, shop.id);
    await recordNotices(em, shop.id, []);
    await recordAudit(inside, { action, ...(details && { details }), target: { id: shop.id, name } });
  });
}

function isBeingFilled(): OperatorError {
  return new OperatorError("The sandbox is being filled, and opens at the end");
}

export function isBeingDeleted(shopId: string): OperatorError {
  return new OperatorError(
    `The shop has lost rows, because it is being deleted. To continue, run: merchant-api shops delete --shop ${shopId}`,
  );
}

/** The time until all work that was running when the shop was closed has ended. Milliseconds. */
export async function timeToSettle(
  em: EntityManager,
  closedAt: Date,
  onProgress: (message: string) => void,
): Promise<number> {
  const rest = closedAt.getTime() + SETTLING - (await databaseTime(em)).getTime();
  if (rest <= 0) return 0;
  onProgress(
    `Waiting ${Math.ceil(rest / 1_000)} s for requests and deliveries that started before the shop was closed`,
  );
  return rest;
}
