import { createShop as create } from "../core/shops/create-shop.ts";
import type { Plan } from "../core/shops/shop.entity.ts";
import { runOnce } from "./run-once.ts";

export interface ShopOptions {
  name: string;
  /** As typed: the operation checks it. */
  plan: string;
  currency: string;
  trialEnds?: string;
}

/** Prints the shop's id. */
export function createShop({ name, plan, currency, trialEnds }: ShopOptions): Promise<void> {
  return runOnce(async ({ core }) => {
    const trialEndsAt = trialEnds === undefined ? null : new Date(trialEnds);
    const shop = await create(core.orm.em, { name, plan: plan as Plan, currency, trialEndsAt });
    console.log(shop.id);
  });
}
