import { z } from "zod";
import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import { requireOpen } from "../access/permissions.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { addImportJob, FILL_SANDBOX } from "../imports/import-jobs.sql.ts";
import { AppError } from "../model/errors.ts";
import { Import } from "../model/imports/import.entity.ts";
import { ImportState } from "../model/imports/import.enums.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";
import { SandboxContent, SandboxState, Shop } from "../model/shops/shop.entity.ts";
import { databaseTime } from "../queries/database-time.ts";
import { insertShop } from "../shops/create-shop.ts";
import { sandboxName, sandboxPlan } from "../shops/sandbox-rules.ts";
import { lockShop, requireShop } from "../shops/shops.ts";
import { parseInput } from "../validation/input.ts";

const MAX_SANDBOXES = 2;
/** The time until every process refuses requests, and those under way have ended. Seconds. */
const SETTLING = 2;

const requestSchema = z.strictObject({ content: z.enum(SandboxContent) });
type Request = z.input<typeof requestSchema>;

/**
 * Creates a sandbox of a shop with the same settings. It is closed until jobs have filled it.
 *
 * @throws AppError VALIDATION_FAILED; SHOP_NOT_FOUND; UNAVAILABLE while the shop is closed; INVALID_STATE for a sandbox;
 *   LIMIT_REACHED when the shop has two
 */
export async function createSandbox(operation: Operation<ShopKey>, request: Request): Promise<CurrentShop> {
  const { content } = parseInput(requestSchema, request);
  return inTransaction(operation, async (inside) => {
    const { em } = inside;
    const shop = await lockShop(em, inside.shop.id);
    if (shop.sandboxOf !== null) throw new AppError("INVALID_STATE", "A sandbox cannot have a sandbox");
    requireOpen(shop);
    const others = await em.find(Shop, { sandboxOf: shop.id }, { disableIdentityMap: true });
    if (others.length >= MAX_SANDBOXES) {
      throw new AppError("LIMIT_REACHED", `A shop can have at most ${MAX_SANDBOXES} sandboxes`, { hint: "Reset one." });
    }
    const { trialHasEnded: _, isIdle: __, ...settings } = shop;
    const first = sandboxName(shop.name);
    const name = others.some((other) => other.name === first) ? sandboxName(`${shop.name} 2`) : first;
    const state = { ...filling(await databaseTime(em), content), sandboxOf: shop.id, sandboxCursor: "" };
    const made = { ...settings, ...sandboxPlan(shop), ...state, name };
    const { id } = await insertShop(inside, made, { sandboxOf: shop.id, content });
    await addImportJob(em, FILL_SANDBOX, { shopId: id, id });
    return requireShop(em, id);
  });
}

/**
 * Closes a sandbox until jobs have replaced its records. Keys, endpoints, logs and the count of order numbers stay.
 *
 * @throws AppError VALIDATION_FAILED; SHOP_NOT_FOUND; UNAVAILABLE while it is closed; INVALID_STATE during an import, and
 *   for a shop that is no sandbox
 */
export async function resetSandbox(operation: Operation<ShopKey>, request: Request): Promise<CurrentShop> {
  const { content } = parseInput(requestSchema, request);
  return inTransaction(operation, async (inside) => {
    const { em } = inside;
    const sandbox = await lockShop(em, inside.shop.id);
    const { id } = sandbox;
    if (sandbox.sandboxOf === null) throw new AppError("INVALID_STATE", "Only a sandbox can be reset");
    requireOpen(sandbox);
    if ((await em.count(Import, { shopId: id, state: [ImportState.CHECKING, ImportState.RUNNING] })) > 0) {
      throw new AppError("INVALID_STATE", "An import is running", { hint: "Wait for its end, or cancel it." });
    }
    await em.nativeUpdate(Shop, { id }, { ...filling(await databaseTime(em), content), sandboxCursor: null });
    await recordAudit(inside, { action: AuditAction.SANDBOX_RESET, target: sandbox, details: { content } });
    await addImportJob(em, FILL_SANDBOX, { shopId: id, id }, SETTLING);
    return requireShop(em, id);
  });
}

function filling(now: Date, sandboxContent: SandboxContent) {
  return { sandboxState: SandboxState.FILLING, sandboxContent, sandboxUsedAt: now, closedAt: now };
}
