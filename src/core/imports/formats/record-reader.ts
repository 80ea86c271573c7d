import type { z } from "zod";
import { cut } from "../../../platform/texts.ts";
import { AppError } from "../../model/errors.ts";
import type { ImportField } from "../../model/imports/import.enums.ts";
import type { ImportProblem } from "../../model/imports/imported.ts";
import { parseInput } from "../../validation/input.ts";
import type { Row } from "./read-rows.ts";
import { wholeRow, type Cell, type Sheet } from "./sheet.ts";

/** Characters. */
const MAX_VALUE = 200;

/** What to do about a mistake, by its code. */
const remedies: Record<string, string> = {
  too_big: "Shorten or lower the value.",
  too_many_decimals: "Round the amount.",
  repeated: "Give each variant of the product different values, or remove one of the rows.",
};

/** Reads the values of a record, and collects the problems of its cells. */
export class RecordReader {
  readonly problems: ImportProblem[] = [];
  readonly sheet: Sheet;
  readonly #rows: readonly Row[];
  /** By the path of the value in the input. */
  readonly #cells = new Map<string, Cell>();

  constructor(sheet: Sheet, rows: readonly Row[]) {
    this.sheet = sheet;
    this.#rows = rows;
    const { length } = sheet.format.columns;
    for (const row of rows.filter(({ cells }) => cells.slice(length).some((cell) => cell.trim() !== ""))) {
      const message = `The row has ${row.cells.length} cells, more than the header.`;
      this.add(wholeRow(row), message, "Put text that has the delimiter into quotation marks.");
    }
  }

  /** The first filled cell of a field in these rows. */
  take(path: string, field: ImportField, rows: readonly Row[] = this.#rows): string {
    const cells = rows.map((row) => this.sheet.cell(row, field));
    return this.takeCell(path, cells.find(({ text }) => text !== "") ?? cells[0]!);
  }

  takeCell(path: string, cell: Cell): string {
    this.#cells.set(path, cell);
    if (cell.text.includes("\ufffd") && this.sheet.format.source !== "MERCHANT_API") {
      this.add(cell, "A character was lost when the file was saved.", "Type it again and save the file as UTF-8.");
    }
    return cell.text;
  }

  addAt(path: string, message: string, remedy: string): void {
    this.add(this.#cells.get(path)!, message, remedy);
  }

  add(cell: Cell, message: string, remedy: string): void {
    const column = this.sheet.nameOf(cell) ?? null;
    const value = column === null ? null : cut(cell.text, MAX_VALUE);
    this.problems.push({ row: cell.row.number, column, value, message, remedy });
  }

  /** Checks and normalizes the input. Returns it unchanged, and adds the problems, when it breaks a rule. */
  check<Schema extends z.ZodType>(schema: Schema, input: z.input<Schema>, prefix = ""): z.output<Schema> {
    try {
      return parseInput(schema, input);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const { path, code, message } of error.issues ?? [])
        this.#addIssue(this.#cellAt(prefix + path), code, message);
      return input as z.output<Schema>;
    }
  }

  #addIssue(cell: Cell, code: string, message: string): void {
    const column = this.sheet.nameOf(cell) ?? null;
    const isKnown = this.problems.some(
      (known) => known.row === cell.row.number && (known.column === column || known.column === null),
    );
    if (isKnown) return;
    if (code === "too_small" && cell.text.trim() === "") this.add(cell, "The cell is empty.", "Fill in the cell.");
    else this.add(cell, `${message}.`, remedies[code] ?? "Correct the cell.");
  }

  /** The cell of the value, or of the innermost one around it. */
  #cellAt(path: string): Cell {
    for (let inner = path; inner !== ""; inner = inner.replace(/\.?[^.]*$/, "")) {
      const cell = this.#cells.get(inner) ?? this.#cells.get(`${inner}.0`);
      if (cell) return cell;
    }
    return wholeRow(this.#rows[0]!);
  }
}
