import { z } from "zod";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { describeChange, recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { requireNoSandbox, sandboxPlan } from "../sandbox-rules.ts";
import { lockShop } from "../shops.ts";
import { Plan, Shop } from "../../model/shops/shop.entity.ts";
import { AppError, invalidInput } from "../../model/errors.ts";

const setPlanSchema = (now: Date) =>
  z
    .strictObject({
      plan: z.enum(Plan),
      trialEndsAt: z
        .date()
        .refine((instant) => instant > now, "Must be in the future")
        .nullable(),
    })
    .refine(({ plan, trialEndsAt }) => plan !== Plan.TRIAL || trialEndsAt !== null, {
      path: ["trialEndsAt"],
      error: "Is required for a trial",
    })
    .refine(({ plan, trialEndsAt }) => plan === Plan.TRIAL || trialEndsAt === null, {
      path: ["trialEndsAt"],
      error: "Is allowed only for a trial",
    });

/**
 * Changes a shop's plan or the end of its trial. Keys and webhook endpoints over the new limits stay and keep working
 * as far as the plan allows.
 *
 * @throws AppError VALIDATION_FAILED; SHOP_NOT_FOUND; INVALID_STATE for a sandbox
 */
export async function setPlan(
  operation: Operation<ShopKey>,
  request: z.input<ReturnType<typeof setPlanSchema>>,
): Promise<void> {
  const { plan, trialEndsAt } = parseInput(setPlanSchema(await databaseTime(operation.em)), request);
  await inTransaction(operation, async (inside) => {
    const { em } = inside;
    const shopId = inside.shop.id;
    const shop = await lockShop(em, shopId);
    requireNoSandbox(shop, "plan");
    if (plan === shop.plan && trialEndsAt?.getTime() === shop.trialEndsAt?.getTime()) return;
    await em.nativeUpdate(Shop, { id: shopId }, { plan, trialEndsAt });
    await em.nativeUpdate(Shop, { sandboxOf: shopId }, sandboxPlan({ plan, trialEndsAt }));
    const details = {
      ...(plan !== shop.plan && { from: shop.plan, to: plan }),
      ...(trialEndsAt && describeChange({ trialEndsAt: shop.trialEndsAt }, { trialEndsAt })),
    };
    const target = { id: shopId, name: shop.name };
    await recordAudit(inside, { action: AuditAction.PLAN_CHANGED, target, details });
  });
}

/**
 * Moves the end of a shop's trial to a later time, even if it is over.
 *
 * @throws AppError VALIDATION_FAILED; SHOP_NOT_FOUND; INVALID_STATE when the shop has another plan
 */
export async function extendTrial(operation: Operation<ShopKey>, trialEndsAt: Date): Promise<void> {
  await inTransaction(operation, async (inside) => {
    const { em } = inside;
    const shopId = inside.shop.id;
    const shop = await lockShop(em, shopId);
    if (shop.plan !== Plan.TRIAL) {
      const hint = "Start a trial with set-plan.";
      throw new AppError("INVALID_STATE", `The shop has the plan ${shop.plan}, not a trial`, { hint });
    }
    if (trialEndsAt <= shop.trialEndsAt!) {
      const message = `Must be later than the current end of the trial, ${shop.trialEndsAt!.toISOString()}`;
      throw invalidInput([{ path: "trialEndsAt", code: "too_small", message }]);
    }
    await setPlan(inside, { plan: Plan.TRIAL, trialEndsAt });
  });
}
