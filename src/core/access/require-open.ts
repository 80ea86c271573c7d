import { AppError } from "../model/errors.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";

/** @throws AppError UNAVAILABLE while the shop is closed */
export function requireOpen({ closedAt }: Pick<CurrentShop, "closedAt">): void {
  if (closedAt) throw new AppError("UNAVAILABLE", "The shop is temporarily closed", { hint: "Retry later." });
}
