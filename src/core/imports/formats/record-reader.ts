import type { z } from "zod";
import type { ImportField } from "../../model/imports/import.enums.ts";
import type { ImportProblem } from "../../model/imports/imported.ts";
import { AppError } from "../../model/errors.ts";
import { parseInput } from "../../validation/input.ts";
import type { Row } from "./read-rows.ts";
import type { Cell, Sheet } from "./sheet.ts";

/** What to do about a mistake, by its code. */
const remedies: Record<string, string> = {
  required: "Fill in the cell.",
  too_small: "Fill in the cell with a value that is not too small.",
  too_big: "Shorten or lower the value.",
  too_many_decimals: "Round the amount.",
  repeated: "Give each variant of the product different values, or remove one of the rows.",
};

/** Collects the values of a record with their cells, and the problems of both. */
export class RecordReader {
  readonly problems: ImportProblem[] = [];
  readonly sheet: Sheet;
  readonly #rows: readonly Row[];
  readonly #cells = new Map<string, Cell>();

  constructor(sheet: Sheet, rows: readonly Row[]) {
    this.sheet = sheet;
    this.#rows = rows;
    const columns = sheet.format.columns.length;
    for (const row of rows) {
      const text = row.cells.slice(columns).join(" ").trim();
      if (text === "") continue;
      const message = `The row has more cells than the header: ${row.cells.length}, not ${columns}.`;
      this.add(
        { row, column: undefined, text },
        message,
        "Put text that has the delimiter or quotation marks in quotation marks.",
      );
    }
  }

  /** The first filled cell of a field in these rows. Problems with the value at this path of the input are there. */
  take(path: string, field: ImportField, rows: readonly Row[] = this.#rows): string {
    const cells = rows.map((row) => this.sheet.cell(row, field));
    return this.takeCell(path, cells.find(({ text }) => text !== "") ?? cells[0]!);
  }

  takeCell(path: string, cell: Cell): string {
    this.#cells.set(path, cell);
    if (cell.text.includes("\ufffd")) {
      this.addAt(
        path,
        "Has a character that was lost when the file was saved.",
        "Type it again and save the file as UTF-8.",
      );
    }
    return cell.text;
  }

  addAt(path: string, message: string, remedy: string): void {
    this.add(this.#cells.get(path)!, message, remedy);
  }

  add(cell: Cell, message: string, remedy: string): void {
    this.problems.push(this.sheet.problem(cell, message, remedy));
  }

  /** Checks and normalizes the input. Returns it unchanged, with the problems recorded, when it breaks a rule. */
  check<Schema extends z.ZodType>(schema: Schema, input: z.input<Schema>, prefix = ""): z.output<Schema> {
    try {
      return parseInput(schema, input);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const { path, code, message } of error.issues ?? []) {
        const cell = this.#cellAt(prefix + path);
        const isKnown = this.problems.some(
          (known) => known.row === cell.row.number && known.column === this.sheet.problem(cell, "", "").column,
        );
        if (!isKnown) this.add(cell, `${message}.`, remedies[code] ?? "Correct the cell.");
      }
      return input as z.output<Schema>;
    }
  }

  /** The cell of the value, or of the innermost one around it. */
  #cellAt(path: string): Cell {
    for (let inner = path; inner !== ""; inner = inner.replace(/\.?[^.]*$/, "")) {
      const cell =
        this.#cells.get(inner) ?? this.#cells.get(`${inner}.0`) ?? this.#cells.get(`${inner}.optionValues.0`);
      if (cell) return cell;
    }
    return { row: this.#rows[0]!, column: undefined, text: "" };
  }
}
