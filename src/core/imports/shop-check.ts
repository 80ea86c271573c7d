import type { Operation } from "../access/operation.ts";
import type { ImportNote, ImportProblem } from "../model/imports/imported.ts";
import { addIssue, type CheckedRecord } from "./check-record.ts";
import type { Claim, Found, Importer } from "./importer.ts";

/** A problem of a record that is stored already. */
export interface LateProblem {
  number: number;
  problem: ImportProblem;
}

/** A record that has claimed something. */
interface Holder {
  number: number;
  row: number;
  isShared: boolean;
}

/** What an update empties, by the field. */
const cleared: Record<string, string> = {
  sku: "SKUs that will be emptied",
  barcode: "Barcodes that will be emptied",
  description: "Descriptions that will be emptied",
  firstName: "First names that will be emptied",
  lastName: "Last names that will be emptied",
  phone: "Phone numbers that will be emptied",
  note: "Notes that will be emptied",
  isStockTracked: "Existing variants whose stock will no longer be tracked, if it is set",
};

/** Compares the records of a file with those of the shop and with each other, as the import will. */
export class ShopCheck {
  /** By their message. */
  readonly notes = new Map<string, ImportNote>();
  /** Problems of records of earlier batches. */
  late: LateProblem[] = [];
  readonly #operation: Operation;
  readonly #importer: Importer<unknown, unknown>;
  readonly #holders = new Map<string, Holder>();
  /** Records of earlier batches that have got a problem. */
  readonly #faulty = new Set<number>();

  constructor(operation: Operation, importer: Importer<unknown, unknown>) {
    this.#operation = operation;
    this.#importer = importer;
  }

  /** Adds the problems of the next records, of which `stored` others come first. */
  async check(records: readonly CheckedRecord[], stored: number): Promise<void> {
    this.late = [];
    const sound = records.filter(({ problems }) => problems.length === 0);
    const found = await this.#importer.findExisting(
      this.#operation,
      sound.map(({ input }) => input),
    );
    for (const [index, record] of sound.entries()) {
      for (const issue of this.#findIssues(record, found[index]!.existing)) addIssue(record.draft, issue);
      if (record.problems.length > 0) continue;
      this.#claim(records, record, stored, found[index]!);
    }
    for (const { notes, rows } of records) for (const message of notes) this.#note(message, rows[0]);
  }

  #findIssues({ input }: CheckedRecord, [existing, another]: readonly unknown[]) {
    if (another === undefined) return this.#importer.findIssues(input, existing);
    return [{ path: "", code: "conflict", message: "Several existing records fit" }];
  }

  #claim(records: readonly CheckedRecord[], record: CheckedRecord, stored: number, found: Found<unknown>): void {
    const { input, rows } = record;
    const own = { number: stored + records.indexOf(record) + 1, row: rows[0] };
    const claims = this.#importer.claimsOf(input, found, (name) => this.#holders.has(name));
    for (const claim of claims) {
      const holder = this.#holders.get(claim.name);
      if (!holder || (holder.isShared && claim.isShared)) continue;
      record.draft.problems.push(conflict(record, claim, holder.row));
      const earlier = records[holder.number - stored - 1];
      if (earlier) earlier.problems.push(conflict(earlier, claim, own.row));
      else this.#addLate(holder, claim, own.row);
      break;
    }
    for (const { name, isShared = false } of claims) {
      const holder = this.#holders.get(name);
      if (!holder || (holder.isShared && !isShared)) this.#holders.set(name, { ...own, isShared });
    }
    const [existing] = found.existing;
    if (existing === undefined) return;
    for (const field of this.#importer.findCleared(input, existing)) {
      this.#note(cleared[field] ?? field, own.row);
    }
  }

  #addLate({ number, row }: Holder, { value }: Claim, other: number): void {
    if (this.#faulty.has(number)) return;
    this.#faulty.add(number);
    this.late.push({ number, problem: { row, column: null, value: value ?? null, ...sameAs(other, value) } });
  }

  #note(message: string, row: number): void {
    const note = this.notes.get(message);
    if (note) note.count += 1;
    else this.notes.set(message, { message, count: 1, row });
  }
}

function conflict({ draft, rows }: CheckedRecord, { path, value }: Claim, other: number): ImportProblem {
  const { row, column } = path === undefined ? { row: { number: rows[0] }, column: null } : draft.cellAt(path);
  return { row: row.number, column, value: value ?? null, ...sameAs(other, value) };
}

const sameAs = (row: number, value: string | undefined) => ({
  message: `Row ${row} ${value === undefined ? "means the same product" : "has the same value"}.`,
  remedy: "Give each record different values, or remove one of them.",
});
