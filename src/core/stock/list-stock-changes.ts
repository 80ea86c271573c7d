import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, conditionsOf, selectFields, type Shown } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import type { Page, PageRequest } from "../model/page.ts";
import { readPage } from "../queries/list-query.ts";
import type { Selection } from "../queries/selection.ts";
import { StockChange, type StockReason } from "../model/products/stock-change.entity.ts";

export interface ListStockChangesFilter extends PageRequest {
  variantId?: string | null;
  productId?: string | null;
  reason?: StockReason | null;
  createdSince?: Date | null;
}

/** A stock change with the selected fields. */
export type ShownStockChange = Shown<StockChange, "shopId" | "id" | "productId" | "variantId" | "actorId">;

/** Lists a shop's stock changes. @throws AppError VALIDATION_FAILED */
export function listStockChanges(
  em: EntityManager,
  shopId: string,
  { variantId, productId, reason, createdSince, ...page }: ListStockChangesFilter,
  selection: Selection,
): Promise<Page<ShownStockChange>> {
  const conditions = conditionsOf<"stock_changes">(
    ["variant_id", "=", variantId],
    ["product_id", "=", productId],
    ["reason", "=", reason],
    ["created_at", ">=", createdSince],
  );
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "stock_changes",
    select: selectFields(columnsOf(em, StockChange), selection.at("items"), [
      "shopId",
      "id",
      "productId",
      "variantId",
      "actorId",
    ]),
    selection,
    conditions,
    texts: { variantId, productId },
    total: "counted",
  });
}
