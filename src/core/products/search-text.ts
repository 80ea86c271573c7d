import { invalidInput } from "../../platform/errors.ts";

export const MAX_SEARCH_LENGTH = 200;

// Folded here on both sides rather than by the database, whose idea of case depends on its locale.
function fold(text: string): string {
  // Greek has two lower-case sigmas, chosen by what follows: as a part of a word they must be one.
  return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}

/** What search looks into, a line for each value: a word never has a line break, so it matches inside one. */
export function searchText(
  product: { title: string; handle: string },
  variants: { sku: string; barcode: string }[],
): string {
  const values = [product.title, product.handle, ...variants.flatMap((variant) => [variant.sku, variant.barcode])];
  return fold(values.filter((value) => value !== "").join("\n"));
}

/** One LIKE pattern for each word; all must match. `%`, `_` and `\` stand for themselves. */
export function searchPatterns(search: string | null | undefined): string[] {
  if (search == null) return [];
  if ([...search].length > MAX_SEARCH_LENGTH) {
    const message = `Must be at most ${MAX_SEARCH_LENGTH} characters`;
    throw invalidInput([{ path: "search", code: "too_big", message }]);
  }
  const words = fold(search).split(/\s+/).filter(Boolean);
  return words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
}
