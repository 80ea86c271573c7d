import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Kysely } from "kysely";
import { newId } from "../model/ids.ts";
import type { Product } from "../model/products/product.entity.ts";
import { StockReason } from "../model/products/stock-change.entity.ts";
import type { Database } from "../model/tables.ts";
import { statementTime } from "../queries/database-time.ts";
import { pipelined, kysely, prepared, type Given } from "../queries/database.ts";
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
 * Inserts a product without its variants. Inserts nothing and returns undefined when the handle is taken. Waits for a
 * transaction that is inserting the same handle.
 */
export async function insertProduct(em: EntityManager, product: NewProduct): Promise<{ createdAt: Date } | undefined> {
  const [inserted] = await prepared(kysely(em), "insert product", { ...product }, (given) =>
    kysely(em)
      .insertInto("products")
      .values(productColumns(given))
      .onConflict((conflict) => conflict.columns(["shop_id", "handle"]).doNothing())
      .returning("created_at as createdAt"),
  );
  return inserted;
}

/** A stored product whose variants are inserted, and who inserts them. */
interface VariantsOf extends Pick<Product, "shopId" | "id" | "createdBy" | "createdAt"> {
  variantRows: string;
}

/** Inserts variants of a product and their initial stock, in one statement. */
export async function insertVariants(
  em: EntityManager,
  { shopId, id, createdBy, createdAt }: Omit<VariantsOf, "variantRows">,
  variants: readonly NewVariant[],
): Promise<void> {
  const variantRows = JSON.stringify(variants.map(variantRow));
  const values: VariantsOf = { shopId, id, createdBy, createdAt, variantRows };
  await pipelined(kysely(em), "insert variants", values, (given) => buildVariants(kysely(em), given));
}

function variantRow({ optionValues, inventoryQuantity, ...variant }: NewVariant): VariantRow {
  const { id, position, title, sku, barcode, price } = variant;
  const columns = { option_values: optionValues, inventory_quantity: inventoryQuantity };
  return { id, position, title, sku, barcode, price, ...columns, stock_change_id: newId("stk") };
}

// Both inserts read the same JSON and no other query: on a cluster, the result of a query that an insert reads is sent to
// every node.
function buildVariants(database: Kysely<Database>, given: Given<VariantsOf>) {
  const rows = rowsOf(given);
  const product = [
    sql<string>`${given.shopId}::text`.as("shop_id"),
    sql<string>`${given.id}::text`.as("product_id"),
    sql<Date>`${given.createdAt}::timestamptz`.as("created_at"),
  ] as const;
  const actor = sql<string | null>`${given.createdBy}::text`.as("actor_id");
  return database
    .with("initial_stock", (query) =>
      query
        .insertInto("stock_changes")
        .columns([
          "shop_id",
          "product_id",
          "created_at",
          "actor_id",
          "id",
          "variant_id",
          "reason",
          "delta",
          "quantity_after",
        ])
        .expression(
          query
            .selectFrom(rows)
            .select([...product, actor])
            .select(["stock_change_id", "variant.id as variant_id", sql.lit(StockReason.INITIAL).as("reason")])
            .select(["inventory_quantity as delta", "inventory_quantity as quantity_after"])
            .where("inventory_quantity", ">", sql.lit(0)),
        ),
    )
    .insertInto("variants")
    .columns(["shop_id", "product_id", "created_at", "updated_at", ...variantColumns])
    .expression((query) =>
      query
        .selectFrom(rows)
        .select([...product, sql<Date>`${given.createdAt}::timestamptz`.as("updated_at")])
        .select(variantColumns.map((column) => `variant.${column}` as const)),
    );
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
function rowsOf({ variantRows }: Given<VariantsOf>) {
  return sql<VariantRow>`json_to_recordset(${variantRows})`.as<"variant">(
    sql`variant (id text, position int, title text, option_values text[], sku text, barcode text, price numeric,
      inventory_quantity int, stock_change_id text)`,
  );
}
