import type { Kysely } from "kysely";
import { isId } from "../../platform/ids.ts";
import { selectList } from "../columns.ts";
import type { Database } from "../database.ts";
import type { Page, PageRequest } from "../pagination.ts";
import { readPage, type Condition, type PageFields } from "../read-page.ts";
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
  const conditions: Condition[] = [];
  // What cannot be an identifier is none's, and may be what PostgreSQL cannot take.
  if (variantId != null) conditions.push({ sql: "variant_id = ?", value: isId(variantId) ? variantId : "" });
  if (productId != null) conditions.push({ sql: "product_id = ?", value: isId(productId) ? productId : "" });
  if (reason != null) conditions.push({ sql: "reason = ?", value: reason });
  if (createdSince != null) conditions.push({ sql: "created_at >= ?", value: createdSince });
  return readPage(database, {
    ...page,
    shopId,
    table: "stock_changes",
    columns: selectList(columns, fields.item, ["id"]),
    fields: fields.page,
    conditions,
    total: "counted",
  });
}
