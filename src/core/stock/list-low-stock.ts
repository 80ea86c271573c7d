import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { ArgsType, Field, ID, Int, ObjectType } from "type-graphql";
import { PageArgs, pageOf, SortOrder, type Page } from "../model/page.ts";
import { ProductStatus } from "../model/products/product.enums.ts";
import { relatedValue, selectFields } from "../queries/columns.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";

@ObjectType({ description: "A variant with few units in stock.", simpleResolvers: true })
export class LowStock {
  @Field(() => ID, { description: "The ID of the variant." })
  id!: string;

  @Field(() => String, { description: 'The title of the variant. "Default Title" if the product has no options.' })
  title!: string;

  @Field(() => String, { description: "The SKU (stock keeping unit). Empty if there is none." })
  sku!: string;

  @Field(() => Int, { description: "The number of units available to sell." })
  inventoryQuantity!: number;

  @Field(() => ID, { description: "The ID of the product." })
  productId!: string;

  @Field(() => String, { description: "The title of the product." })
  productTitle!: string;
}

@ObjectType({ description: "A page of variants with few units in stock.", simpleResolvers: true })
export class LowStockPage extends pageOf(LowStock) {}

@ArgsType()
export class ListLowStockArgs extends PageArgs {
  @Field(() => Int, { defaultValue: 5, description: "The most units in stock that count as few." })
  atMost!: number;

  @Field(() => SortOrder, { defaultValue: SortOrder.ASC, description: "The sort direction." })
  declare order: SortOrder;
}

const columns = {
  id: sql.ref<string>("id"),
  title: sql.ref<string>("title"),
  sku: sql.ref<string>("sku"),
  inventoryQuantity: sql.ref<number>("inventory_quantity"),
  productId: sql.ref<string>("product_id"),
  productTitle: relatedValue<string>("products", "title", "variants.product_id"),
};

const isActive = sql<SqlBool>`${relatedValue("products", "status", "variants.product_id")} = ${sql.lit(ProductStatus.ACTIVE)}`;

/** The variants of a shop's active products with few units in stock. @throws AppError VALIDATION_FAILED */
export function listLowStock(
  em: EntityManager,
  shopId: string,
  { atMost, ...page }: ListLowStockArgs,
  selection: Selection,
): Promise<Page<Partial<LowStock> & { id: string }>> {
  return readPage(em, {
    ...page,
    shopId,
    table: "variants",
    select: (_, items) => selectFields<LowStock, "id">(columns, items, ["id"]),
    selection,
    conditions: [sql<SqlBool>`is_stock_tracked and inventory_quantity <= ${atMost}`, isActive],
    sort: "inventory_quantity",
    total: "counted",
  });
}
