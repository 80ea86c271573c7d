import { cut } from "../../../platform/texts.ts";
import type { ImportedCustomer, ImportedProduct, ImportProblem } from "../../model/imports/imported.ts";
import type { Metadata } from "../../model/metadata.entity.ts";
import type { Row } from "./read-rows.ts";
import { wholeRow, type Cell, type Sheet } from "./sheet.ts";

/** Characters. */
const MAX_VALUE = 200;

/** What programs do to texts. */
const damages: [damage: RegExp, message: string, remedy: string][] = [
  [/\ufffd/, "A character was lost when the file was saved.", "Type it again and save the file as UTF-8."],
  [
    // An error, or a number in a column that was too narrow.
    /^#(N\/A|NAME\?|REF!|VALUE!|DIV\/0!|NULL!|NUM!|NV|WERT!|BEZUG!|#+)$/,
    "A spreadsheet has lost this value.",
    "Widen its column or mend its formula, and export the file again.",
  ],
  [
    // UTF-8 that was read as Windows-1252 and saved again: é is Ã©, and ’ is â€™.
    /[ÃÂ][\u0080-\u00bf]|â€[\u0080-\u00bf™œ˜¦“”]/,
    "Another program has read these letters wrong.",
    "Export the file again as UTF-8.",
  ],
];

/** A record of a file. Each step makes a new one of that of the step before. */
export interface FileRecord {
  /** The first and the last row, counted as spreadsheets do: the header is row 1. */
  rows: [number, number];
  /** Once it is checked, it satisfies the rules of the core and is normalized by them, unless there are problems. */
  input: ImportedProduct | ImportedCustomer;
  problems: readonly ImportProblem[];
  /** What was done to the record, for the person to know. */
  notes: readonly string[];
  /** The cell of the value at a path in the input, or of the innermost value around it. */
  cellAt: (path: string) => Cell;
}

/** Collects what is found while the rows of a record are read. */
export class Draft {
  readonly sheet: Sheet;
  readonly rows: readonly Row[];
  readonly notes: string[] = [];
  readonly #problems: ImportProblem[] = [];
  /** By the path of the value in the input. */
  readonly #cells = new Map<string, Cell>();

  constructor(sheet: Sheet, rows: readonly Row[]) {
    this.sheet = sheet;
    this.rows = rows;
    const { length } = sheet.layout.columns;
    for (const row of rows.filter(({ cells }) => cells.slice(length).some((cell) => cell.trim() !== ""))) {
      const message = `The row has ${row.cells.length} cells, more than the header.`;
      this.add(wholeRow(row), message, "Put text that has the delimiter into quotation marks.");
    }
  }

  /** Remembers the cell of a value. Returns its text. */
  place(path: string, cell: Cell): string {
    this.#cells.set(path, cell);
    const found = this.sheet.isOwn ? undefined : damages.find(([damage]) => damage.test(cell.text));
    if (found) this.add(cell, found[1], found[2]);
    return cell.text;
  }

  /** Reads metadata from the filled cells in columns that begin so. */
  metadata(path: string, start: string, rows: readonly Row[]): { metadata?: Metadata[] } {
    const cells = this.sheet.filled(rows, start);
    const metadata = cells.map(({ rest: key, cell }, index) => ({ key, value: this.place(`${path}.${index}`, cell) }));
    return metadata.length > 0 ? { metadata } : {};
  }

  /** The record that this makes with its input. */
  toRecord(input: FileRecord["input"]): FileRecord {
    const { rows, notes } = this;
    const numbers: FileRecord["rows"] = [rows[0]!.number, rows.at(-1)!.number];
    return { rows: numbers, input, problems: this.#problems, notes, cellAt: (path) => this.#cellAt(path) };
  }

  #cellAt(path: string): Cell {
    for (let inner = path; inner !== ""; inner = inner.replace(/\.?[^.]*$/, "")) {
      const cell = this.#cells.get(inner) ?? this.#cells.get(`${inner}.0`);
      if (cell) return cell;
    }
    return wholeRow(this.rows[0]!);
  }

  addAt(path: string, message: string, remedy: string): void {
    this.add(this.#cellAt(path), message, remedy);
  }

  add(cell: Cell, message: string, remedy: string): void {
    this.#problems.push(problemAt(cell, message, remedy));
  }
}

export function problemAt({ row, column, text }: Cell, message: string, remedy: string): ImportProblem {
  const value = column === null ? null : cut(text, MAX_VALUE);
  return { row: row.number, column, value, message, remedy };
}
