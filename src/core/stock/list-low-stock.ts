import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { ArgsType, ID, Int, ObjectType } from "type-graphql";
import { argumentsOf, field, objectOf } from "../model/fields.ts";
import { pageArguments, pageOf, SortOrder, type Page } from "../model/page.ts";
import { ProductStatus } from "../model/products/product.enums.ts";
import { relatedValue, selectFields } from "../queries/columns.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";

@ObjectType({ description: "A variant with few units in stock.", simpleResolvers: true })
export class LowStock extends objectOf({
  id: field(ID, "The ID of the variant."),
  title: field(String, 'The title of the variant. "Default Title" if the product has no options.'),
  sku: field(String, "The SKU (stock keeping unit). Empty if there is none."),
  inventoryQuantity: field(Int, "The number of units available to sell."),
  productId: field(ID, "The ID of the product."),
  productTitle: field(String, "The title of the product."),
}) {}

@ObjectType({ description: "A page of variants with few units in stock.", simpleResolvers: true })
export class LowStockPage extends pageOf(LowStock) {}

@ArgsType()
export class ListLowStockArgs extends argumentsOf({
  ...pageArguments,
  order: field(SortOrder, "The sort direction.", { defaultValue: SortOrder.ASC }),
  atMost: field(Int, "The most units in stock that count as few.", { defaultValue: 5 }),
}) {}

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
