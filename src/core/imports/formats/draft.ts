import { cut } from "../../../platform/texts.ts";
import type { ImportedCustomer, ImportedProduct, ImportProblem } from "../../model/imports/imported.ts";
import type { Row } from "./read-rows.ts";
import { wholeRow, type Cell, type Sheet } from "./sheet.ts";

/** Characters. */
const MAX_VALUE = 200;

/** An error of a spreadsheet, or a number in a column that was too narrow. */
const LOST_VALUE = /^#(N\/A|NAME\?|REF!|VALUE!|DIV\/0!|NULL!|NUM!|NV|WERT!|BEZUG!|#+)$/;
/** UTF-8 that was read as Windows-1252 and saved again: é is Ã©, and ’ is â€™. */
const MISREAD = /[ÃÂ][\u0080-\u00bf]|â€[\u0080-\u00bf™œ˜¦“”]/;

/** A record as its rows give it, before it is checked. */
export class Draft {
  readonly rows: readonly Row[];
  readonly problems: ImportProblem[] = [];
  /** What was done to the record, for the person to know. */
  readonly notes: string[] = [];
  readonly #isOwn: boolean;
  /** By the path of the value in the input. */
  readonly #cells = new Map<string, Cell>();

  constructor(sheet: Sheet, rows: readonly Row[]) {
    this.rows = rows;
    this.#isOwn = sheet.format.source === "MERCHANT_API";
    const { length } = sheet.format.columns;
    for (const row of rows.filter(({ cells }) => cells.slice(length).some((cell) => cell.trim() !== ""))) {
      const message = `The row has ${row.cells.length} cells, more than the header.`;
      this.add(wholeRow(row), message, "Put text that has the delimiter into quotation marks.");
    }
  }

  /** Remembers the cell of a value. Returns its text. */
  place(path: string, cell: Cell): string {
    this.#cells.set(path, cell);
    if (this.#isOwn) return cell.text;
    if (cell.text.includes("\ufffd")) {
      this.add(cell, "A character was lost when the file was saved.", "Type it again and save the file as UTF-8.");
    } else if (LOST_VALUE.test(cell.text)) {
      this.add(
        cell,
        "A spreadsheet has lost this value.",
        "Widen its column or mend its formula, and export the file again.",
      );
    } else if (MISREAD.test(cell.text)) {
      this.add(cell, "Another program has read these letters wrong.", "Export the file again as UTF-8.");
    }
    return cell.text;
  }

  /** The cell of the value, or of the innermost one around it. */
  cellAt(path: string): Cell {
    for (let inner = path; inner !== ""; inner = inner.replace(/\.?[^.]*$/, "")) {
      const cell = this.#cells.get(inner) ?? this.#cells.get(`${inner}.0`);
      if (cell) return cell;
    }
    return wholeRow(this.rows[0]!);
  }

  addAt(path: string, message: string, remedy: string): void {
    this.add(this.cellAt(path), message, remedy);
  }

  add({ row, column, text }: Cell, message: string, remedy: string): void {
    const value = column === null ? null : cut(text, MAX_VALUE);
    this.problems.push({ row: row.number, column, value, message, remedy });
  }
}

/** A record that was read, with the input that it makes. */
export interface ReadRecord {
  draft: Draft;
  input: ImportedProduct | ImportedCustomer;
}
