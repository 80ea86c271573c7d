import { AppError } from "../../model/errors.ts";

/** The most payments of one order, and the most refunds: an order is read with all of them. */
const MOST = 250;

/** @throws AppError LIMIT_REACHED when an order that is locked has as many as it may have */
export function refuseMore(count: number, what: "payments" | "refunds"): void {
  if (count >= MOST) throw new AppError("LIMIT_REACHED", `An order can have at most ${MOST} ${what}`);
}
