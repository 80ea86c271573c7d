import { AppError } from "../../model/errors.ts";

/** The maximum number of payments, and of refunds, of an order, because an order is read with all of them. */
const MOST = 250;

/** @throws AppError LIMIT_REACHED when a locked order has the maximum already */
export function requireBelowLimit(count: number, what: "payments" | "refunds"): void {
  if (count >= MOST) throw new AppError("LIMIT_REACHED", `An order can have at most ${MOST} ${what}`);
}
