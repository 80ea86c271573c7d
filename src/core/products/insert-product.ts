import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Kysely } from "kysely";
import { newId } from "../model/ids.ts";
import { Product, type Variant } from "../model/products/product.entity.ts";
import { StockReason } from "../model/products/stock-change.entity.ts";
import type { Database } from "../model/tables.ts";
import { columnsOf, valuesOf, type Columns } from "../queries/columns.ts";
import { statementTime } from "../queries/database-time.ts";
import { pipelined, kysely, prepared, type Given } from "../queries/database.ts";
import { storedMetadata } from "../queries/metadata.sql.ts";
import type { z } from "zod";
import { variantTitle } from "./options.ts";
import type { ProductSchemas } from "./product.inputs.ts";

/** A product that is not stored yet, without its variants. */
export type NewProduct = Omit<Product, "editedVersion" | "variants" | "metadata" | keyof Times>;

type ProductValues = Pick<Product, Exclude<keyof Product, "variants" | "metadata" | symbol>>;

export type StoredProduct = Omit<NewProduct, "searchWords"> & Times;

type Times = Pick<Product, "createdAt" | "updatedAt">;

/** The columns of a variant that do not follow from its product, with their types. */
const variantTypes: Record<Exclude<keyof Database["variants"], keyof OfProduct>, string> = {
  id: "text",
  position: "int",
  title: "text",
  option_values: "text[]",
  sku: "text",
  barcode: "text",
  price: "numeric",
  inventory_quantity: "int",
  is_stock_tracked: "boolean",
};

const variantColumns = Object.keys(variantTypes) as (keyof typeof variantTypes)[];

type OfProduct = Pick<Database["variants"], "shop_id" | "product_id" | "created_at" | "updated_at">;

/** A variant, and the id of the entry for its initial stock. */
type VariantRow = Omit<Database["variants"], keyof OfProduct> & { stock_change_id: string };

/**
 * Inserts a product without its variants. Inserts nothing and returns undefined when the handle is taken. Waits for a
 * transaction that is inserting the same handle.
 */
export async function insertProduct(em: EntityManager, product: NewProduct): Promise<StoredProduct | undefined> {
  const { searchWords: _, ...columns } = columnsOf(em, Product) as Required<Columns<NewProduct & Times>>;
  const [stored] = await prepared(kysely(em), "insert product", product, (given) => {
    const times = { createdAt: statementTime, updatedAt: statementTime };
    return kysely(em)
      .insertInto("products")
      .values(valuesOf<ProductValues, "products">(em, Product, { ...given, ...times, editedVersion: given.version }))
      .onConflict((conflict) => conflict.columns(["shop_id", "handle"]).doNothing())
      .returning(Object.entries(columns).map(([field, column]) => sql`${column}`.as(field)))
      .$castTo<StoredProduct>();
  });
  return stored;
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

function variantRow({ shopId: _, productId: __, metadata: ___, ...variant }: NewVariant): VariantRow {
  const { optionValues, inventoryQuantity, isStockTracked, ...same } = variant;
  const columns = {
    option_values: optionValues,
    inventory_quantity: inventoryQuantity,
    is_stock_tracked: isStockTracked,
  };
  return { ...same, ...columns, stock_change_id: newId("stk") };
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
            .where("inventory_quantity", "<>", sql.lit(0)),
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

/** The variants, from JSON, because their options are arrays. */
function rowsOf({ variantRows }: Given<VariantsOf>) {
  const columns = variantColumns.map((column) => sql`${sql.ref(column)} ${sql.raw(variantTypes[column])}`);
  return sql<VariantRow>`json_to_recordset(${variantRows})`.as<"variant">(
    sql`variant (${sql.join([...columns, sql`stock_change_id text`])})`,
  );
}

/** A variant that is not stored yet. */
export type NewVariant = Omit<Variant, "product" | "createdAt" | "updatedAt">;

export function newVariant(
  product: { shopId: string; id: string },
  position: number,
  fields: z.output<ProductSchemas["newVariant"]>,
): NewVariant {
  return {
    shopId: product.shopId,
    id: newId("var"),
    productId: product.id,
    position,
    title: variantTitle(fields.optionValues),
    ...fields,
    metadata: storedMetadata(fields.metadata),
  };
}
