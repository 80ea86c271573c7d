import { inTransaction, type Operation } from "../../access/operation.ts";
import { AppError } from "../../model/errors.ts";
import { ImportedStock } from "../../model/imports/import.enums.ts";
import { skuKey, type ImportedProduct, type ImportedVariant } from "../../model/imports/imported.ts";
import { Product, type Variant } from "../../model/products/product.entity.ts";
import { MAX_QUANTITY } from "../../model/products/stock-change.entity.ts";
import { createProduct } from "../../products/create-product.ts";
import { recordProductUpdated, type ChangedProductField } from "../../products/edits/edit-product.ts";
import { updateProduct } from "../../products/edits/update-product.ts";
import { handlesOfTitle } from "../../products/handle.ts";
import type { CreateProductInput, NewVariantInput } from "../../products/product.inputs.ts";
import { createVariant, setOptionValues, updateVariant } from "../../products/variants/variants.ts";
import { setStock } from "../../stock/stock.ts";
import { collectError } from "../../validation/bulk.ts";
import { differing } from "../../validation/changes.ts";
import { findExistingProducts, isFoundByTitle, titleKey, type ExistingProduct } from "./find-products.ts";
import { changedFields, clearedFields, type Claim, type Found, type Importer } from "./importer.ts";
import { findNewIssues, planUpdate } from "./plan-product.ts";

/** Imports products. */
export const productImporter: Importer<ImportedProduct, ExistingProduct> = {
  findExisting: ({ em, shop }, inputs) => findExistingProducts(em, shop.id, inputs),
  claimsOf,
  findIssues: (input, existing) => {
    if (!existing) return findNewIssues(input);
    try {
      planUpdate(existing, input);
      return [];
    } catch (error) {
      return collectError(error).issues;
    }
  },
  findCleared: ({ variants: given, ...fields }, { product, variants }) => {
    const bySku = planUpdate({ product, variants }, { ...fields, variants: given }).variants;
    const cleared = bySku.flatMap(([variant, input]) => (variant ? clearedFields(variant, input) : []));
    return [...clearedFields(product, fields), ...cleared];
  },
  create: async (operation, { handle, foundBy: _, ...input }) => {
    if (input.title === undefined) {
      throw new AppError("NOT_FOUND", "No product has its SKUs or handle, and a new one needs a title");
    }
    const options = { isImported: true, ...(handle !== undefined && { handle }) };
    await createProduct(operation, input as CreateProductInput, options);
  },
  update: updateExisting,
};

/**
 * Names what a record needs, so that each record of a file is one product of the shop, also in a second import: its SKUs, its
 * handle, which the import makes of the title if there is none, and the handles at which others look for its title.
 */
function claimsOf(
  input: ImportedProduct,
  { existing: [existing], newKeys }: Found<ExistingProduct>,
  isClaimed: (name: string) => boolean,
): Claim[] {
  // Records that are found by their handles may share a SKU, but not with one that is found by it.
  const isShared = input.foundBy === "HANDLE";
  const claims = input.variants.flatMap(({ sku }, index): Claim[] => {
    if (!sku) return [];
    const isExact = existing?.variants.some((variant) => variant.sku === sku);
    return [{ name: `sku ${isExact ? sku : skuKey(sku)}`, path: `variants.${index}.sku`, value: sku, isShared }];
  });
  if (existing) claims.push(...claimsOfExisting(input, existing));
  const made = existing?.product.handle ?? newKeys.find((key) => !isClaimed(`handle ${key}`)) ?? "";
  const { handle = made, title } = input;
  if (input.handle !== undefined) claims.push({ name: `handle ${handle}`, path: "handle", value: handle });
  else if (!existing) claims.push({ name: `handle ${handle}` });
  if (title === undefined) return claims;
  const handles = isFoundByTitle(input) ? handlesOfTitle(title) : [handle];
  const names = handles.slice(0, handles.indexOf(handle) + 1 || undefined).map((each) => `${each} ${titleKey(title)}`);
  return [...claims, ...names.map((name) => ({ name, path: "title", value: title }))];
}

/** A row of a price or stock list is one variant. Others are the whole product. */
function claimsOfExisting(input: ImportedProduct, existing: ExistingProduct): Claim[] {
  const whole = { name: existing.product.id };
  if (input.handle !== undefined || input.title !== undefined || input.optionNames || input.metadata) return [whole];
  const variants = planUpdate(existing, input).variants.map(([variant]) => ({ name: variant?.id ?? whole.name }));
  return [{ ...whole, isShared: true }, ...variants];
}

/** Updates the given fields by the operations of the API, with a single event. Returns false if nothing differs. */
async function updateExisting(
  operation: Operation,
  existing: ExistingProduct,
  input: ImportedProduct,
  { stock, note }: { stock: ImportedStock; note: string },
): Promise<boolean> {
  const { product } = existing;
  const { variants: _, foundBy: __, ...fields } = input;
  const { optionNames, variants } = planUpdate(existing, input);
  const moved = variants.flatMap(([variant, { optionValues }]) =>
    variant && optionValues && differing(variant, { optionValues }).optionValues
      ? [[variant.id, optionValues] as const]
      : [],
  );
  const changes: (Change | false)[] = [
    changeOf(changedFields(product, { ...fields, optionNames } as Partial<Product>), (inside, request) =>
      updateProduct(inside, { id: product.id, request }),
    ),
    moved.length > 0 &&
      change(["optionValues", "title"], (inside) => setOptionValues(inside, product.id, new Map(moved))),
    ...variants.flatMap(([variant, given]) =>
      variant
        ? changesOfVariant(operation, variant, given, stock === ImportedStock.SET ? note : undefined)
        : change(["variants"], (inside) =>
            createVariant(inside, product.id, given as NewVariantInput, { isImported: true }),
          ),
    ),
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

/** @param note of the change of stock. Undefined if the stock stays */
function changesOfVariant(
  { shop }: Operation,
  variant: Variant,
  { optionValues: _, inventoryQuantity: given, ...input }: ImportedVariant,
  note: string | undefined,
): (Change | false)[] {
  const { id: variantId, inventoryQuantity } = variant;
  const { isStockTracked = variant.isStockTracked, ...fields } = input;
  const changed = changedFields(variant, note === undefined ? fields : { ...fields, isStockTracked });
  const changes = [changeOf(changed, (inside, request) => updateVariant(inside, variantId, request))];
  if (note === undefined || !isStockTracked || given === undefined || given === inventoryQuantity) return changes;
  const quantity = shop.allowsOverselling ? given : Math.max(given, 0);
  const request = { variantId, quantity, note };
  if (quantity !== inventoryQuantity) {
    changes.push(change(["inventoryQuantity"], (inside) => setStock(inside, request, -MAX_QUANTITY)));
  }
  return changes;
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
  return names.length > 0 && change(names, (inside) => make(inside, changes));
}
