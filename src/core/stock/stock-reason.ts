import { registerEnumType } from "type-graphql";
import type { StockReason } from "../model/products/stock-change.entity.ts";

/** The reasons that people give. The others are written by what causes them. */
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
  description: "The reason of somebody who changes stock.",
  valuesConfig: {
    RECEIVED: { description: "Goods came in." },
    COUNTED: { description: "A stocktake found it." },
    DAMAGED: { description: "Units cannot be sold any more." },
    LOST: { description: "Units are missing." },
    CORRECTED: { description: "An earlier change was wrong." },
    RETURNED: { description: "A customer brought units back." },
  },
});

/** The same reason in the history of stock. */
export function stockReason(reason: StockAdjustmentReason): StockReason {
  return reason as `${StockAdjustmentReason}` as StockReason;
}
