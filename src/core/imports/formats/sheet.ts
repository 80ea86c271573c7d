import { unescapeFormula } from "../columns.ts";
import type { ImportField } from "../../model/imports/import.enums.ts";
import type { ImportFormat } from "../../model/imports/imported.ts";
import { bareName } from "./column-names.ts";
import type { Row } from "./read-rows.ts";

export interface Cell {
  row: Row;
  /** Undefined if the whole row is meant. */
  column: number | undefined;
  text: string;
}

/** Finds the cells of rows by the columns of a file. */
export class Sheet {
  readonly format: ImportFormat;
  readonly #columns: Map<ImportField, ImportFormat["mapping"]>;
  readonly #named: Map<string, number>;

  constructor(format: ImportFormat) {
    this.format = format;
    this.#columns = Map.groupBy(format.mapping, ({ field }) => field);
    this.#named = new Map(format.columns.map((name, column) => [bareName(name), column]));
  }

  has(field: ImportField): boolean {
    return this.#columns.has(field);
  }

  /** The cells of a field, which may have several columns. */
  cells(row: Row, field: ImportField): Cell[] {
    return (this.#columns.get(field) ?? []).map(({ column }) => this.#cellOf(row, column));
  }

  /** The first filled cell of the field, else the first one. */
  cell(row: Row, field: ImportField): Cell {
    const cells = this.cells(row, field);
    return cells.find(({ text }) => text !== "") ?? cells[0] ?? wholeRow(row);
  }

  /** The text in a column that is no field, by its bare name. */
  textOf(row: Row, bareColumn: string): string {
    const column = this.#named.get(bareColumn);
    return column === undefined ? "" : this.#cellOf(row, column).text.trim();
  }

  #cellOf(row: Row, column: number): Cell {
    const text = row.cells[column] ?? "";
    // Other systems also escape negative numbers.
    const isOwn = this.format.source === "MERCHANT_API";
    return { row, column, text: isOwn ? unescapeFormula(text) : text.replace(/^'(?=[=+\-@\t\r])/, "") };
  }

  nameOf({ column }: Cell): string | undefined {
    return column === undefined ? undefined : this.format.columns[column];
  }
}

export function wholeRow(row: Row): Cell {
  return { row, column: undefined, text: "" };
}
