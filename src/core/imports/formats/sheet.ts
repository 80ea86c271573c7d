import { unescapeFormula } from "../../csv/columns.ts";
import type { ImportField } from "../../model/imports/import.enums.ts";
import type { ImportFormat } from "../../model/imports/imported.ts";
import { namesOfColumns } from "./column-names.ts";
import type { Row } from "./read-rows.ts";

export interface Cell {
  row: Row;
  /** The name of the column. Null if the whole row is meant. */
  column: string | null;
  text: string;
}

/** What systems write into the cell of a missing value. */
export const NO_VALUE = /^(n\/?a|none|null|unknown|keine?|[-–./ ]*)$/i;

export const isYes = (text: string) => /^(true|yes|y|1)$/i.test(text);

/** What the columns of a file mean. */
export type Layout = Pick<ImportFormat, "source" | "columns" | "mapping" | "emptyCells">;

/** Finds the cells of rows by the columns of a file. */
export class Sheet {
  readonly layout: Layout;
  /** True for an export of this service. */
  readonly isOwn: boolean;
  readonly #columns: Map<ImportField, Layout["mapping"]>;
  readonly #named: Map<string, number>;
  readonly #filled = new Set<number>();
  readonly #used = new Set<number>();
  /** Columns of which some values were not read, because another column of the field has some, too. */
  readonly #passedOver = new Set<number>();

  constructor(layout: Layout) {
    this.layout = layout;
    this.isOwn = layout.source === "MERCHANT_API";
    this.#columns = Map.groupBy(layout.mapping, ({ field }) => field);
    this.#named = new Map(namesOfColumns(layout.source, layout.columns).map((name, column) => [name, column]));
    for (const { column } of layout.mapping) this.#used.add(column);
  }

  has(field: ImportField): boolean {
    return this.#columns.has(field);
  }

  /** Remembers which columns have values, so that empty ones are not missed. */
  count({ cells }: Row): void {
    for (const [column, cell] of cells.entries()) {
      if (!this.#filled.has(column) && cell.trim() !== "") this.#filled.add(column);
    }
  }

  /** The cells of a field, which may have several columns. */
  cells(row: Row, field: ImportField): Cell[] {
    return (this.#columns.get(field) ?? []).map(({ column }) => this.#cellOf(row, column));
  }

  /** The first filled cell of the field, else the first one. */
  cell(row: Row, field: ImportField): Cell {
    const cells = this.cells(row, field);
    const found = cells.find(({ text }) => text !== "");
    // Columns of a status or an option say the same in other words.
    const isText = !/^(STATUS|OPTION)/.test(field);
    for (const [index, { text }] of cells.entries()) {
      if (isText && text !== "" && text !== found?.text) this.#passedOver.add(this.#columns.get(field)![index]!.column);
    }
    return found ?? cells[0] ?? wholeRow(row);
  }

  /** The cell in a column that is no field, by its bare name. */
  named(row: Row, bareColumn: string): Cell | undefined {
    const column = this.#named.get(bareColumn);
    if (column === undefined) return undefined;
    this.#used.add(column);
    return this.#cellOf(row, column);
  }

  /** The first filled cell in each column whose name begins so, with the rest of its name. */
  filled(rows: readonly Row[], start: string): { rest: string; cell: Cell }[] {
    return this.layout.columns.flatMap((name, column) => {
      if (!name.startsWith(start)) return [];
      this.#used.add(column);
      const cell = rows.map((row) => this.#cellOf(row, column)).find(({ text }) => text !== "");
      return cell ? { rest: name.slice(start.length), cell } : [];
    });
  }

  /** The text in a column that is no field, by its bare name. */
  textOf(row: Row, bareColumn: string): string {
    return this.named(row, bareColumn)?.text.trim() ?? "";
  }

  /** Returns true if a column whose bare name begins so says yes. */
  saysYes(row: Row, start: string): boolean {
    const names = [...this.#named.keys()].filter((name) => name.startsWith(start));
    return names.some((name) => isYes(this.textOf(row, name)));
  }

  #cellOf(row: Row, column: number): Cell {
    const text = row.cells[column] ?? "";
    const name = this.layout.columns[column] ?? null;
    return { row, column: name, text: this.isOwn ? unescapeFormula(text) : cleanText(text) };
  }

  /** The names of the columns with values of which nothing was read, or not all. */
  unreadColumns(): string[] {
    return this.layout.columns.filter(
      (name, column) =>
        name !== "" && this.#filled.has(column) && (!this.#used.has(column) || this.#passedOver.has(column)),
    );
  }
}

/** What spreadsheets and other systems put around a text: spaces, ="…", which keeps zeros, and ' before formulas. */
function cleanText(text: string): string {
  // The look-behind keeps the time linear.
  return text
    .replace(/^[\s\u200b\u2060]+|(?<![\s\u200b\u2060])[\s\u200b\u2060]+$/g, "")
    .replace(/^="(.*)"$/s, "$1")
    .replace(/^'(?=[=+\-@])/, "");
}

export function wholeRow(row: Row): Cell {
  return { row, column: null, text: "" };
}
