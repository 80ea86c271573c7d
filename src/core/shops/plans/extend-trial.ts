import { AppError, invalidInput } from "../../model/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { lockShop } from "../lock-shop.ts";
import { setPlan } from "./set-plan.ts";
import { Plan } from "../../model/shops/shop.entity.ts";

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
