import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import type { Page, PageRequest } from "../model/page.ts";
import { conditionsOf, readPage, type PageFields } from "../queries/list-query.ts";
import { StockChange, type StockReason } from "../model/products/stock-change.entity.ts";

export interface ListStockChangesFilter extends PageRequest {
  variantId?: string | null;
  productId?: string | null;
  reason?: StockReason | null;
  createdSince?: Date | null;
}

/** The history of a shop's stock. @throws AppError VALIDATION_FAILED */
export function listStockChanges(
  em: EntityManager,
  shopId: string,
  { variantId, productId, reason, createdSince, ...page }: ListStockChangesFilter,
  fields: PageFields,
): Promise<Page<StockChange>> {
  const conditions = conditionsOf([
    ["variant_id = ?", variantId],
    ["product_id = ?", productId],
    ["reason = ?", reason],
    ["created_at >= ?", createdSince],
  ]);
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "stock_changes",
    columns: selectList(columnsOf(em, StockChange), fields.item, ["shopId", "id", "productId", "variantId", "actorId"]),
    fields: fields.page,
    conditions,
    texts: { variantId, productId },
    total: "counted",
  });
}
