import { createHash } from "node:crypto";
import type { IdPrefix } from "../../src/core/model/ids.ts";

// The names and identifiers of filled records, by their number in the database or place in their shop.

/** An eighth of the products has each. */
export const things = ["Mug", "Bowl", "Plate", "Vase", "Jug", "Cup", "Dish", "Pot"];

const beginnings = ["Ka", "Lo", "Mi", "Ru", "Se", "Ta", "Ve", "Zo", "Ne", "Du"];
const endings = [
  ["lora", "rbin", "stel", "vano", "ndri", "ppel", "rgon", "lmet", "skar", "tion"],
  ["bert", "cchi", "ffen", "jova", "kkel", "quel", "rrin", "ssom", "urdi", "yzer"],
].flat();
/** 200 words, of which none contains another. */
export const words = beginnings.flatMap((beginning) => endings.map((ending) => beginning + ending));

/** The two words in the title of the product at this place. Each pair has a hundred products. */
export function titleWords(place: number, count: number): [string, string] {
  const groups = Math.max(1, Math.round(Math.sqrt(count / 100)));
  return [words[Math.floor(place / 8) % groups]!, words[100 + (Math.floor(place / (8 * groups)) % groups)]!];
}

export function titleOf(place: number, count: number): string {
  return ["Stoneware", things[place % things.length], ...titleWords(place, count), place + 1].join(" ");
}

/** An identifier in the format of `newId`, as SQL makes it. Larger numbers sort later. */
export function idOf(prefix: IdPrefix, number: number): string {
  const random = createHash("md5").update(String(number)).digest("hex").slice(0, 16);
  return `${prefix}_0${number.toString(16).padStart(9, "0")}${random}`;
}

/** The SKU and barcode of a product's two variants, as products.sql.ts writes them. */
export function variantsOf(number: number): { sku: string; barcode: string }[] {
  return ["S", "L"].map((size, place) => ({
    sku: `SKU-${number}-${size}`,
    barcode: `4${String(number * 2 + place).padStart(12, "0")}`,
  }));
}
