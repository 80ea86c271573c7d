import type { StockReason } from "../model/products/stock-change.entity.ts";
import { enumType } from "../model/enum-type.ts";

/** The reasons that staff and services can give. The service sets the others itself. */
export const StockAdjustmentReason = enumType(
  "StockAdjustmentReason",
  "The reason for a stock change by staff or a service.",
  {
    RECEIVED: "Goods were received.",
    COUNTED: "Result of a stocktake.",
    DAMAGED: "Units were damaged.",
    LOST: "Units were lost.",
    CORRECTED: "Correction of an earlier change.",
    RETURNED: "A customer returned units.",
  },
);
export type StockAdjustmentReason = keyof typeof StockAdjustmentReason;

/** Converts the reason for the stock history. */
export function stockReason(reason: StockAdjustmentReason): StockReason {
  return reason as `${StockAdjustmentReason}` as StockReason;
}
