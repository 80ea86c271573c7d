import type { EntityManager } from "@mikro-orm/postgresql";
import { ArgsType, Field, ID } from "type-graphql";
import {
  columnsOf,
  conditionsOf,
  relatedValue,
  selectFields,
  type Columns,
  type Select,
  type Shown,
} from "../queries/columns.ts";
import { PageArgs, type Page } from "../model/page.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";
import { StockChange, StockReason } from "../model/products/stock-change.entity.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { findersOf } from "../queries/find-by-id.ts";

@ArgsType()
export class ListStockChangesArgs extends PageArgs {
  @Field(() => ID, { nullable: true, description: "Only changes of this variant." })
  variantId?: string | null;

  @Field(() => ID, { nullable: true, description: "Only changes of this product's variants." })
  productId?: string | null;

  @Field(() => StockReason, { nullable: true, description: "Only changes for this reason." })
  reason?: StockReason | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only changes made at or after this time." })
  createdSince?: Date | null;
}

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
