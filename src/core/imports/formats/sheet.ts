import { unescapeFormula } from "../columns.ts";
import type { ImportField } from "../../model/imports/import.enums.ts";
import type { ImportFormat, ImportProblem } from "../../model/imports/imported.ts";
import { bareName } from "./column-names.ts";
import type { Row } from "./read-rows.ts";

const MAX_VALUE = 200;

export interface Cell {
  row: Row;
  /** Undefined if the file has no column for it. */
  column: number | undefined;
  text: string;
}

/** Reads the cells of rows by the columns of a file. */
export class Sheet {
  readonly format: ImportFormat;
  readonly #columns = new Map<ImportField, number[]>();
  readonly #named: Map<string, number>;

  constructor(format: ImportFormat) {
    this.format = format;
    for (const { field, column } of format.mapping) {
      this.#columns.set(field, [...(this.#columns.get(field) ?? []), column]);
    }
    this.#named = new Map(format.columns.map((name, column) => [bareName(name), column]));
  }

  has(field: ImportField): boolean {
    return this.#columns.has(field);
  }

  /** The name of the first column of a field. */
  nameOf(field: ImportField): string | undefined {
    return this.format.columns[this.#columns.get(field)?.[0] ?? -1];
  }

  cells(row: Row, field: ImportField): Cell[] {
    return (this.#columns.get(field) ?? []).map((column) => cellOf(row, column));
  }

  /** The first filled cell of the field's columns, else the first one. */
  cell(row: Row, field: ImportField): Cell {
    const cells = this.cells(row, field);
    return cells.find(({ text }) => text !== "") ?? cells[0] ?? { row, column: undefined, text: "" };
  }

  /** The text in a column that is no field, by its bare name. */
  textOf(row: Row, bareColumn: string): string {
    const column = this.#named.get(bareColumn);
    return column === undefined ? "" : cellOf(row, column).text.trim();
  }

  problem({ row, column, text }: Cell, message: string, remedy: string): ImportProblem {
    const name = column === undefined ? null : (this.format.columns[column] ?? null);
    return { row: row.number, column: name, value: column === undefined ? null : cut(text), message, remedy };
  }
}

function cellOf(row: Row, column: number): Cell {
  return { row, column, text: unescapeFormula(row.cells[column] ?? "") };
}

function cut(text: string): string {
  return text.slice(0, MAX_VALUE).toWellFormed();
}
