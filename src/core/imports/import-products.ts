import type { EntityManager } from "@mikro-orm/postgresql";
import { inTransaction, type Operation } from "../access/operation.ts";
import { AppError } from "../model/errors.ts";
import { ImportedStock } from "../model/imports/import.enums.ts";
import type { ImportedProduct, ImportedVariant } from "../model/imports/imported.ts";
import { Product, Variant } from "../model/products/product.entity.ts";
import { createProduct } from "../products/create-product.ts";
import { recordProductUpdated, type ChangedProductField } from "../products/edits/edit-product.ts";
import { updateProduct } from "../products/edits/update-product.ts";
import { slugOf } from "../products/handle.ts";
import { valuesKey } from "../products/options.ts";
import type { CreateProductInput, NewVariantInput } from "../products/product.inputs.ts";
import { createVariant, updateVariant } from "../products/variants/variants.ts";
import { anyOf } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { setStock } from "../stock/stock.ts";
import { differing, type Importer } from "./importer.ts";

/** A product of the shop with its variants. */
interface Existing {
  product: Product;
  variants: Variant[];
}

/** Imports products. They are found by the SKUs of their variants, else by the handle, else by that of the title. */
export const productImporter: Importer<ImportedProduct, Existing> = {
  findExisting: async ({ em, shop }, inputs) => {
    const bySku = await findSkus(em, shop.id, inputs.flatMap(skusOf));
    const byHandle = await findHandles(em, shop.id, inputs.flatMap(handlesOf));
    const idsOf = (input: ImportedProduct) => {
      const found = new Set(skusOf(input).flatMap((sku) => bySku.get(sku) ?? []));
      return found.size > 0 ? [...found] : handlesOf(input).flatMap((handle) => byHandle.get(handle) ?? []);
    };
    const products = await readProducts(em, shop.id, inputs.flatMap(idsOf));
    return inputs.map((input) => idsOf(input).flatMap((id) => products.get(id) ?? []));
  },
  create: async (operation, { handle, ...input }) => {
    if (input.title === undefined)
      throw new AppError("NOT_FOUND", "No product has its SKUs or handle, and a new one needs a title");
    await createProduct(operation, input as CreateProductInput, { handle });
  },
  update: updateExisting,
};

const skusOf = ({ variants }: ImportedProduct) => variants.flatMap(({ sku }) => sku || []);

function handlesOf({ handle, title, ...input }: ImportedProduct): string[] {
  if (handle !== undefined) return [handle];
  return title === undefined || skusOf(input).length > 0 ? [] : [slugOf(title)];
}

async function findSkus(em: EntityManager, shopId: string, skus: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await kysely(em)
    .selectFrom("variants")
    .select(["sku", "product_id as productId"])
    .where("shop_id", "=", shopId)
    .where("sku", "=", anyOf(skus))
    // The condition of the index.
    .where("sku", "<>", "")
    .execute();
  const groups = Map.groupBy(rows, ({ sku }) => sku);
  return new Map([...groups].map(([sku, found]) => [sku, found.map(({ productId }) => productId)]));
}

async function findHandles(
  em: EntityManager,
  shopId: string,
  handles: readonly string[],
): Promise<Map<string, string>> {
  const rows = await kysely(em)
    .selectFrom("products")
    .select(["handle", "id"])
    .where("shop_id", "=", shopId)
    .where("handle", "=", anyOf(handles))
    .execute();
  return new Map(rows.map(({ handle, id }) => [handle, id]));
}

async function readProducts(em: EntityManager, shopId: string, ids: readonly string[]): Promise<Map<string, Existing>> {
  if (ids.length === 0) return new Map();
  const of = { shopId, product: ids.map((id): [string, string] => [shopId, id]) };
  const products = await em.find(Product, { shopId, id: [...ids] }, { disableIdentityMap: true });
  const variants = await em.find(Variant, of, { orderBy: { position: "asc" }, disableIdentityMap: true });
  const groups = Map.groupBy(variants, ({ product }) => product.id);
  return new Map(products.map((product) => [product.id, { product, variants: groups.get(product.id) ?? [] }]));
}

/** Updates the given fields by the operations of the API, with a single event. Returns false if nothing differs. */
async function updateExisting(
  operation: Operation,
  { product, variants }: Existing,
  { variants: given, ...fields }: ImportedProduct,
  { stock, note }: { stock: ImportedStock; note: string },
): Promise<boolean> {
  const changes: (Change | false)[] = [
    changeOf(differing(product, fields), (inside, request) => updateProduct(inside, { id: product.id, request })),
    ...matchVariants(variants, given).flatMap(([variant, { inventoryQuantity: quantity, ...input }]) => {
      if (!variant) {
        return change(["variants"], (inside) => createVariant(inside, product.id, newVariant(input, quantity)));
      }
      const isCounted = stock === ImportedStock.SET && quantity !== undefined && quantity !== variant.inventoryQuantity;
      return [
        changeOf(differing(variant, input), (inside, request) => updateVariant(inside, variant.id, request)),
        isCounted &&
          change(["inventoryQuantity"], (inside) => setStock(inside, { variantId: variant.id, quantity, note })),
      ];
    }),
  ];
  const made = changes.filter((each) => each !== false);
  if (made.length === 0) return false;
  await inTransaction(operation, async (inside) => {
    for (const { make } of made) await make({ ...inside, isSilent: true });
    const { handle, version, updatedAt } = await inside.em.findOneOrFail(
      Product,
      { shopId: product.shopId, id: product.id },
      { refresh: true },
    );
    const changed = [...new Set(made.flatMap((each) => each.fields))];
    await recordProductUpdated(inside, { productId: product.id, handle, version, changed, at: updatedAt });
  });
  return true;
}

/** A change of a product, with the fields that it touches. */
interface Change {
  fields: readonly ChangedProductField[];
  make: (inside: Operation) => Promise<unknown>;
}

const change = (fields: Change["fields"], make: Change["make"]): Change => ({ fields, make });

function changeOf<Changes extends { [Name in ChangedProductField]?: unknown }>(
  changes: Changes,
  make: (inside: Operation, changes: Changes) => Promise<unknown>,
): Change | false {
  const names = Object.keys(changes) as ChangedProductField[];
  // The title of a variant comes from its options.
  const fields = "optionValues" in changes ? [...names, "title" as const] : names;
  return names.length > 0 && change(fields, (inside) => make(inside, changes));
}

function newVariant(input: ImportedVariant, inventoryQuantity: number | undefined): NewVariantInput {
  return { ...input, ...(inventoryQuantity !== undefined && { inventoryQuantity }) } as NewVariantInput;
}

/** Finds the variant of each given one: by its SKU, else by its option values. Undefined for new ones. */
function matchVariants(
  variants: readonly Variant[],
  given: readonly ImportedVariant[],
): [Variant | undefined, ImportedVariant][] {
  return given.map((input) => {
    const withSku = input.sku ? variants.filter(({ sku }) => sku === input.sku) : [];
    if (withSku.length === 1) return [withSku[0], input];
    const key = valuesKey(input.optionValues ?? []);
    return [variants.find(({ optionValues }) => valuesKey(optionValues) === key), input];
  });
}
