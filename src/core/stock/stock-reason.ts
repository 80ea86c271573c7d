import { registerEnumType } from "type-graphql";
import type { StockReason } from "../model/products/stock-change.entity.ts";

/** The reasons that staff and services can give. The service sets the others itself. */
export enum StockAdjustmentReason {
  RECEIVED = "RECEIVED",
  COUNTED = "COUNTED",
  DAMAGED = "DAMAGED",
  LOST = "LOST",
  CORRECTED = "CORRECTED",
  RETURNED = "RETURNED",
}

registerEnumType(StockAdjustmentReason, {
  name: "StockAdjustmentReason",
  description: "The reason for a stock change by staff or a service.",
  valuesConfig: {
    RECEIVED: { description: "Goods were received." },
    COUNTED: { description: "Result of a stocktake." },
    DAMAGED: { description: "Units were damaged." },
    LOST: { description: "Units were lost." },
    CORRECTED: { description: "Correction of an earlier change." },
    RETURNED: { description: "A customer returned units." },
  },
});

/** Converts the reason for the stock history. */
export function stockReason(reason: StockAdjustmentReason): StockReason {
  return reason as `${StockAdjustmentReason}` as StockReason;
}
