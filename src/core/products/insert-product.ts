import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Kysely } from "kysely";
import { newId } from "../model/ids.ts";
import type { Product } from "../model/products/product.entity.ts";
import { StockReason } from "../model/products/stock-change.entity.ts";
import type { Database } from "../model/tables.ts";
import { shopParameter } from "../queries/columns.ts";
import { statementTime } from "../queries/database-time.ts";
import { kysely, prepared, type Given } from "../queries/database.ts";
import type { NewVariant } from "./variants/new-variant.ts";

/** A product that is not stored yet, without its variants. */
export type NewProduct = Omit<Product, "editedVersion" | "variants" | "createdAt" | "updatedAt">;

const variantColumns = [
  "id",
  "position",
  "title",
  "option_values",
  "sku",
  "barcode",
  "price",
  "inventory_quantity",
] as const;

/** A variant, and the id of the entry for its initial stock. */
type VariantRow = Pick<Database["variants"], (typeof variantColumns)[number]> & { stock_change_id: string };

/**
 * Inserts a product with its variants and their initial stock, in one statement. Inserts nothing and returns undefined
 * when the handle is taken. Waits for a transaction that is inserting the same handle.
 */
export async function insertProduct(
  em: EntityManager,
  product: NewProduct,
  variants: readonly NewVariant[],
): Promise<{ createdAt: Date } | undefined> {
  const values = { ...product, variantRows: JSON.stringify(variants.map(variantRow)) };
  const [inserted] = await prepared(kysely(em), "insert product", values, (given) => buildInsert(kysely(em), given));
  return inserted;
}

function variantRow({ optionValues, inventoryQuantity, ...variant }: NewVariant): VariantRow {
  const { id, position, title, sku, barcode, price } = variant;
  const columns = { option_values: optionValues, inventory_quantity: inventoryQuantity };
  return { id, position, title, sku, barcode, price, ...columns, stock_change_id: newId("stk") };
}

type Values = NewProduct & { variantRows: string };

function buildInsert(database: Kysely<Database>, given: Given<Values>) {
  const rows = rowsOf(given);
  const shop = shopParameter.as("shop_id");
  // Variants and stock are selected from the inserted product: without one, there are none.
  return database
    .with("product", (query) =>
      query
        .insertInto("products")
        .values(productColumns(given))
        .onConflict((conflict) => conflict.columns(["shop_id", "handle"]).doNothing())
        .returning(["id", "created_at", "created_by"]),
    )
    .with("new_variants", (query) =>
      query
        .insertInto("variants")
        .columns(["shop_id", "product_id", "created_at", "updated_at", ...variantColumns])
        .expression(
          query
            .selectFrom(["product", rows])
            .select([shop, "product.id as product_id", "created_at", "created_at as updated_at"])
            .select(variantColumns.map((column) => `variant.${column}` as const)),
        ),
    )
    .with("initial_stock", (query) =>
      query
        .insertInto("stock_changes")
        .columns([
          "shop_id",
          "product_id",
          "actor_id",
          "created_at",
          "id",
          "variant_id",
          "reason",
          "delta",
          "quantity_after",
        ])
        .expression(
          query
            .selectFrom(["product", rows])
            .select([shop, "product.id as product_id", "created_by", "created_at"])
            .select(["stock_change_id", "variant.id as variant_id", sql.lit(StockReason.INITIAL).as("reason")])
            .select(["inventory_quantity as delta", "inventory_quantity as quantity_after"])
            .where("inventory_quantity", ">", sql.lit(0)),
        ),
    )
    .selectFrom("product")
    .select("created_at as createdAt");
}

function productColumns(given: Given<NewProduct>) {
  return {
    shop_id: given.shopId,
    id: given.id,
    title: given.title,
    handle: given.handle,
    description: given.description,
    status: given.status,
    option_names: given.optionNames,
    search_words: given.searchWords,
    version: given.version,
    edited_version: given.version,
    created_by: given.createdBy,
    created_at: statementTime,
    updated_at: statementTime,
  };
}

/** The variants, from JSON, because their options are arrays. */
function rowsOf({ variantRows }: Given<Values>) {
  return sql<VariantRow>`json_to_recordset(${variantRows})`.as<"variant">(
    sql`variant (id text, position int, title text, option_values text[], sku text, barcode text, price numeric,
      inventory_quantity int, stock_change_id text)`,
  );
}
