import { hash } from "node:crypto";
import { skuKey } from "../../model/imports/imported.ts";
import type { Row } from "./read-rows.ts";
import type { Sheet } from "./sheet.ts";
import { unreadable } from "./unreadable.ts";
import { isParent, isVariation } from "./woocommerce.ts";

/** Shopify has at most 2,048 variants and 250 images. */
const MAX_ROWS_OF_PRODUCT = 2_500;
/** The size of rows that wait for others of their product. Characters. */
const MAX_WAITING = 32 * 2 ** 20;

/**
 * Groups the rows of each product, which need not follow each other. Reads all rows once with `count` and then again with
 * `collect`, so that a product is complete with its last row.
 */
export class RowGroups {
  readonly #sheet: Sheet;
  #previous: string | undefined;
  /** Keys are hashed to be short. */
  readonly #counts = new Map<string, number>();
  /** WooCommerce refers to a product by its SKU or its ID. */
  readonly #aliases = new Map<string, string>();
  /** The product of each SKU of an own export. */
  readonly #skus = new Map<string, string>();
  readonly #repeatedSkus = new Set<string>();

  constructor(sheet: Sheet) {
    this.#sheet = sheet;
  }

  count(row: Row): void {
    const key = this.#keyOf(row);
    if (key === undefined) return;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    this.#countSku(key, this.#sheet.cell(row, "SKU").text);
    if (count > MAX_ROWS_OF_PRODUCT) {
      throw unreadable(
        `The product in row ${row.number} has more than 2,500 rows.`,
        "Give each product its own handle.",
      );
    }
    const id = this.#sheet.textOf(row, "id");
    if (this.#sheet.layout.source !== "WOOCOMMERCE" || isVariation(this.#sheet, row) || id === "") return;
    const alias = hashOf(`id:${id}`);
    if (alias !== key) this.#aliases.set(alias, key);
  }

  #countSku(key: string, sku: string): void {
    if (sku === "" || !this.#sheet.isOwn) return;
    const folded = skuKey(sku);
    if ((this.#skus.get(folded) ?? key) !== key) this.#repeatedSkus.add(folded);
    this.#skus.set(folded, key);
  }

  /** Returns true for a product of an own export that has a SKU of another one, as the API allows. */
  sharesSku(rows: readonly Row[]): boolean {
    if (this.#repeatedSkus.size === 0) return false;
    return rows.some((row) => this.#repeatedSkus.has(skuKey(this.#sheet.cell(row, "SKU").text)));
  }

  async *collect(rows: AsyncIterable<Row>): AsyncGenerator<Row[], void> {
    for (const [alias, key] of this.#aliases) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + (this.#counts.get(alias) ?? 0));
    }
    this.#previous = undefined;
    const waiting = new Map<string, Row[]>();
    let size = 0;
    for await (const row of rows) {
      const raw = this.#keyOf(row);
      const key = raw && (this.#aliases.get(raw) ?? raw);
      const group = (key && waiting.get(key)) || [];
      group.push(row);
      if (key === undefined || group.length === this.#counts.get(key)) {
        waiting.delete(key ?? "");
        for (const done of group.slice(0, -1)) size -= sizeOf(done);
        yield group;
      } else {
        waiting.set(key, group);
        size += sizeOf(row);
        if (size > MAX_WAITING) {
          throw unreadable("The rows of a product are too far from each other.", "Sort the file by product.");
        }
      }
    }
  }

  /** Undefined for a row that is a whole product. */
  #keyOf(row: Row): string | undefined {
    const name = this.#nameOf(row);
    if (name === "") return this.#previous;
    this.#previous = name && hashOf(name);
    return this.#previous;
  }

  /** Empty for a row that continues the product before it. */
  #nameOf(row: Row): string | undefined {
    const sheet = this.#sheet;
    if (sheet.layout.source === "WOOCOMMERCE") {
      if (isVariation(sheet, row)) return sheet.textOf(row, "parent");
      return isParent(sheet, row) ? sheet.textOf(row, "sku") || `id:${sheet.textOf(row, "id")}` : undefined;
    }
    const handle = sheet.cell(row, "HANDLE").text.trim() || sheet.textOf(row, "referencehandle");
    if (handle !== "") return `handle ${handle}`;
    if (!sheet.has("OPTION1_VALUE")) return undefined;
    const title = sheet.cell(row, "TITLE").text.trim();
    return title && `title ${title}`;
  }
}

function hashOf(key: string): string {
  return hash("sha1", key, "base64");
}

function sizeOf({ cells }: Row): number {
  return cells.reduce((size, cell) => size + cell.length + 8, 0);
}
