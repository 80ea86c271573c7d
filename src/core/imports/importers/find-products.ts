import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { foldCase } from "../../../platform/fold-text.ts";
import { skuKey, type ImportedProduct } from "../../model/imports/imported.ts";
import { Product, Variant } from "../../model/products/product.entity.ts";
import { handlesOfTitle, randomHandles } from "../../products/handle.ts";
import { anyOf } from "../../queries/columns.ts";
import { kysely } from "../../queries/database.ts";
import { addMetadata } from "../../queries/metadata.sql.ts";
import type { Found } from "./importer.ts";

/** A product of the shop with its variants. */
export interface ExistingProduct {
  product: Product;
  variants: Variant[];
}

/**
 * Finds the products that records mean: by the handle, else by the SKUs of the variants. A record without both means the
 * product with its title and a handle that this title makes. A new product can have the returned handles, the first if it
 * is free then.
 */
export async function findExistingProducts(
  em: EntityManager,
  shopId: string,
  inputs: readonly ImportedProduct[],
): Promise<Found<ExistingProduct>[]> {
  const bySku = await findSkus(em, shopId, inputs.flatMap(skusOf));
  const byHandle = await findHandles(em, shopId, inputs.flatMap(handlesOf));
  const found: string[][] = [];
  for (const input of inputs) {
    const withSkus = new Set(skusOf(input).flatMap((sku) => productsWithSku(bySku, sku)));
    const named = input.handle === undefined ? undefined : byHandle.get(input.handle)?.id;
    if (named !== undefined) found.push(withSkus.size === 0 || withSkus.has(named) ? [named] : [named, ...withSkus]);
    else if (withSkus.size > 0 || !isFoundByTitle(input)) found.push([...withSkus]);
    else found.push(await findByTitle(em, shopId, input.title!, byHandle));
  }
  const products = await readProducts(em, shopId, [...new Set(found.flat())]);
  return found.map((ids, index) => ({
    existing: ids.flatMap((id) => products.get(id) ?? []),
    newKeys: handlesOf(inputs[index]!).filter((handle) => !byHandle.has(handle)),
  }));
}

/** The SKUs by which a record is found. */
function skusOf({ variants, foundBy }: ImportedProduct): string[] {
  return foundBy === "HANDLE" ? [] : variants.flatMap(({ sku }) => sku || []);
}

export const titleKey = (title: string) => foldCase(title).replace(/\s+/g, " ").trim();

export function isFoundByTitle(input: ImportedProduct): boolean {
  return input.handle === undefined && input.title !== undefined && skusOf(input).length === 0;
}

function handlesOf(input: ImportedProduct): string[] {
  if (input.handle !== undefined) return [input.handle];
  return input.title === undefined ? [] : handlesOfTitle(input.title);
}

interface WithSku {
  sku: string;
  productId: string;
}

/** Variants by the key of their SKU. */
async function findSkus(em: EntityManager, shopId: string, skus: readonly string[]): Promise<Map<string, WithSku[]>> {
  const rows = await kysely(em)
    .selectFrom("variants")
    .select(["sku", "product_id as productId"])
    .where("shop_id", "=", shopId)
    .where(sql<string>`lower(sku collate "C")`, "=", anyOf(skus.map(skuKey)))
    // The condition of the index.
    .where("sku", "<>", "")
    .execute();
  return Map.groupBy(rows, ({ sku }) => skuKey(sku));
}

/** The products with exactly this SKU. If there are none, the products with this SKU in any case. */
function productsWithSku(bySku: Map<string, WithSku[]>, wanted: string): string[] {
  const alike = bySku.get(skuKey(wanted)) ?? [];
  const exact = alike.filter(({ sku }) => sku === wanted);
  return (exact.length > 0 ? exact : alike).map(({ productId }) => productId);
}

type Named = Pick<Product, "id" | "title">;

async function findHandles(em: EntityManager, shopId: string, handles: readonly string[]): Promise<Map<string, Named>> {
  const rows = await kysely(em)
    .selectFrom("products")
    .select(["handle", "id", "title"])
    .where("shop_id", "=", shopId)
    .where("handle", "=", anyOf(handles))
    .execute();
  return new Map(rows.map(({ handle, ...named }) => [handle, named]));
}

async function findByTitle(
  em: EntityManager,
  shopId: string,
  title: string,
  byHandle: ReadonlyMap<string, Named>,
): Promise<string[]> {
  const candidates = handlesOfTitle(title).map((handle) => byHandle.get(handle));
  const isThis = (named: Named | undefined) => named !== undefined && titleKey(named.title) === titleKey(title);
  const found = candidates.find(isThis);
  if (found || candidates.includes(undefined)) return found ? [found.id] : [];
  const others = await kysely(em)
    .selectFrom("products")
    .select(["id", "title"])
    .where("shop_id", "=", shopId)
    .where("handle", "like", randomHandles(title))
    .execute();
  return others
    .filter(isThis)
    .map(({ id }) => id)
    .slice(0, 1);
}

async function readProducts(
  em: EntityManager,
  shopId: string,
  ids: readonly string[],
): Promise<Map<string, ExistingProduct>> {
  if (ids.length === 0) return new Map();
  const of = { shopId, product: ids.map((id): [string, string] => [shopId, id]) };
  const products = await em.find(Product, { shopId, id: [...ids] }, { disableIdentityMap: true });
  const variants = await em.find(Variant, of, { orderBy: { position: "asc" }, disableIdentityMap: true });
  await addMetadata(em, [...products, ...variants]);
  const groups = Map.groupBy(variants, ({ product }) => product.id);
  return new Map(products.map((product) => [product.id, { product, variants: groups.get(product.id) ?? [] }]));
}
