import type { EntityManager } from "@mikro-orm/postgresql";
import { ArgsType, Field, ID } from "type-graphql";
import { columnsOf, conditionsOf, selectFields, type Shown } from "../queries/columns.ts";
import { PageArgs, type Page } from "../model/page.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";
import { StockChange, StockReason } from "../model/products/stock-change.entity.ts";
import { TimestampScalar } from "../model/scalars.ts";
import type { Kysely } from "kysely";
import type { Database } from "../model/tables.ts";
import { idIn, type RowKey } from "../queries/row-key.ts";

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

const always = ["shopId", "id", "productId", "variantId", "orderId", "actorId"] as const;

/** A stock change with the selected fields. */
export type ShownStockChange = Shown<StockChange, (typeof always)[number]>;

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
    select: (_, items) => selectFields(columnsOf(em, StockChange), items, always),
    selection,
    conditions,
    texts: { variantId, productId },
    total: "counted",
  });
}

/** Loads the current titles of products of one shop. Null for deleted ones. */
export const loadProductTitles = titlesOf("products");

/** Loads the current titles of variants of one shop. Null for deleted ones. */
export const loadVariantTitles = titlesOf("variants");

function titlesOf(table: "products" | "variants") {
  return async (database: Kysely<Database>, records: readonly RowKey[]): Promise<(string | null)[]> => {
    const rows = await database
      .selectFrom(table)
      .select(["id", "title"])
      .where("shop_id", "=", records[0]!.shopId)
      .where("id", "=", idIn(records))
      .execute();
    const titles = new Map(rows.map(({ id, title }) => [id, title]));
    return records.map(({ id }) => titles.get(id) ?? null);
  };
}
