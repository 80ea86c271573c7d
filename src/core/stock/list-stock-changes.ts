import type { EntityManager } from "@mikro-orm/postgresql";
import { ArgsType, ID } from "type-graphql";
import {
  columnsOf,
  conditionsOf,
  relatedValue,
  selectFields,
  type Columns,
  type Select,
  type Shown,
} from "../queries/columns.ts";
import { argumentsOf, nullable } from "../model/fields.ts";
import { pageArguments, type Page } from "../model/page.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";
import { StockChange, StockReason } from "../model/products/stock-change.entity.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { findersOf } from "../queries/find-by-id.ts";

@ArgsType()
export class ListStockChangesArgs extends argumentsOf({
  ...pageArguments,
  variantId: nullable(ID, "Only changes of this variant."),
  productId: nullable(ID, "Only changes of this product's variants."),
  reason: nullable(StockReason, "Only changes for this reason."),
  createdSince: nullable(TimestampScalar, "Only changes made at or after this time."),
}) {}

type Always = "shopId" | "id" | "actorId";

/** A stock change with the selected fields. */
export type ShownStockChange = Shown<StockChange, Always>;

const related: Columns<StockChange> = {
  productTitle: relatedValue("products", "title", "stock_changes.product_id"),
  variantTitle: relatedValue("variants", "title", "stock_changes.variant_id"),
  orderNumber: relatedValue("orders", "order_number", "stock_changes.order_id"),
};

function selectStockChange(em: EntityManager, selection: Selection): Select<ShownStockChange> {
  const columns = { ...columnsOf(em, StockChange), ...related };
  return selectFields<StockChange, Always>(columns, selection, ["shopId", "id", "actorId"]);
}

/** Lists a shop's stock changes. @throws AppError VALIDATION_FAILED */
export function listStockChanges(
  em: EntityManager,
  shopId: string,
  { variantId, productId, reason, createdSince, ...page }: ListStockChangesArgs,
  selection: Selection,
): Promise<Page<ShownStockChange>> {
  const conditions = conditionsOf<"stock_changes">(
    ["variant_id", "=", variantId],
    ["product_id", "=", productId],
    ["reason", "=", reason],
    ["created_at", ">=", createdSince],
  );
  return readPage(em, {
    ...page,
    shopId,
    table: "stock_changes",
    select: selectStockChange,
    selection,
    conditions,
    texts: { variantId, productId },
    total: "counted",
  });
}

/** Finds stock changes of this shop by their ids. */
export const findStockChanges = findersOf("stock_changes", selectStockChange);
