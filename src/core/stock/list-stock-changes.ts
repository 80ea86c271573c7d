import type { Kysely } from "kysely";
import { selectList } from "../queries/columns.ts";
import type { Database } from "../queries/database.ts";
import type { Page, PageRequest } from "../queries/pagination.ts";
import { conditionsOf, readPage, type PageFields } from "../queries/list-query.ts";
import type { StockChange, StockReason } from "./stock-change.entity.ts";

export interface ListStockChangesFilter extends PageRequest {
  variantId?: string | null;
  productId?: string | null;
  reason?: StockReason | null;
  createdSince?: Date | null;
}

const columns = {
  id: "id",
  productId: "product_id",
  variantId: "variant_id",
  orderId: "order_id",
  reason: "reason",
  note: "note",
  delta: "delta",
  quantityAfter: "quantity_after",
  actorId: "actor_id",
  createdAt: "created_at",
};

/** The history of a shop's stock. @throws AppError VALIDATION_FAILED */
export function listStockChanges(
  database: Kysely<Database>,
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
  return readPage(database, {
    ...page,
    shopId,
    table: "stock_changes",
    columns: selectList(columns, fields.item, ["id"]),
    fields: fields.page,
    conditions,
    texts: { variantId, productId },
    total: "counted",
  });
}
