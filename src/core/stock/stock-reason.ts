import type { StockReason } from "../model/products/stock-change.entity.ts";
import { enumType } from "../model/enum-type.ts";

/** The reasons that people give. The others are written by what causes them. */
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

/** The same reason in the history of stock. */
export function stockReason(reason: StockAdjustmentReason): StockReason {
  return reason as `${StockAdjustmentReason}` as StockReason;
}
