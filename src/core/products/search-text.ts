import { foldText } from "../queries/search.ts";

/** The text that search looks into, a line for each value: a word never has a line break, so it matches inside one. */
export function searchText(
  product: { title: string; handle: string },
  variants: { sku: string; barcode: string }[],
): string {
  const values = [product.title, product.handle, ...variants.flatMap((variant) => [variant.sku, variant.barcode])];
  return foldText(values.filter((value) => value !== "").join("\n"));
}
