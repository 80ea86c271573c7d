import type { Operation } from "../../access/operation.ts";
import type { ImportNote, ImportProblem } from "../../model/imports/imported.ts";
import { withIssues } from "./check-record.ts";
import type { FileRecord } from "../formats/draft.ts";
import type { Claim, Found, Importer } from "../importers/importer.ts";

/** A problem of a record that is stored already. */
interface LateProblem {
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
  readonly #operation: Operation;
  readonly #importer: Importer<unknown, unknown>;
  readonly #holders = new Map<string, Holder>();
  /** Records of earlier batches that have got a problem. */
  readonly #faulty = new Set<number>();

  constructor(operation: Operation, importer: Importer<unknown, unknown>) {
    this.#operation = operation;
    this.#importer = importer;
  }

  /** Returns the next records with their problems, and new problems of the `stored` ones before them. */
  async check(batch: readonly FileRecord[], stored: number): Promise<{ records: FileRecord[]; late: LateProblem[] }> {
    const sound = batch.filter(({ problems }) => problems.length === 0);
    const found = await this.#importer.findExisting(
      this.#operation,
      sound.map(({ input }) => input),
    );
    const records = [...batch];
    const late: LateProblem[] = [];
    for (const [index, record] of sound.entries()) {
      const position = batch.indexOf(record);
      const checked = withIssues(record, this.#findIssues(record, found[index]!.existing));
      records[position] = checked;
      if (checked.problems.length > 0) continue;
      const own = { number: stored + position + 1, row: record.rows[0] };
      const held = this.#claim(record, own, found[index]!);
      if (!held) continue;
      const { claim, holder } = held;
      records[position] = withConflict(checked, claim, holder.row);
      const earlier = records[holder.number - stored - 1];
      if (earlier) records[holder.number - stored - 1] = withConflict(earlier, claim, own.row);
      else if (!this.#faulty.has(holder.number)) {
        this.#faulty.add(holder.number);
        late.push({ number: holder.number, problem: conflict({ row: holder.row, column: null }, claim, own.row) });
      }
    }
    for (const { notes, rows } of records) for (const message of notes) this.#note(message, rows[0]);
    return { records, late };
  }

  #findIssues({ input }: FileRecord, [existing, another]: readonly unknown[]) {
    if (another === undefined) return this.#importer.findIssues(input, existing);
    return [{ path: "", code: "conflict", message: "Several existing records fit" }];
  }

  /** Claims what the record needs, and notes what it empties. Returns the first claim that another record holds. */
  #claim({ input }: FileRecord, own: Pick<Holder, "number" | "row">, found: Found<unknown>) {
    const claims = this.#importer.claimsOf(input, found, (name) => this.#holders.has(name));
    const [held] = claims.flatMap((claim) => {
      const holder = this.#holders.get(claim.name);
      return holder && !(holder.isShared && claim.isShared) ? [{ claim, holder }] : [];
    });
    for (const { name, isShared = false } of claims) {
      const holder = this.#holders.get(name);
      if (!holder || (holder.isShared && !isShared)) this.#holders.set(name, { ...own, isShared });
    }
    const [existing] = found.existing;
    const emptied = existing === undefined ? [] : this.#importer.findCleared(input, existing);
    for (const field of emptied) this.#note(cleared[field] ?? field, own.row);
    return held;
  }

  #note(message: string, row: number): void {
    const note = this.notes.get(message);
    if (note) note.count += 1;
    else this.notes.set(message, { message, count: 1, row });
  }
}

function withConflict(record: FileRecord, claim: Claim, other: number): FileRecord {
  const { row, column } =
    claim.path === undefined ? { row: { number: record.rows[0] }, column: null } : record.cellAt(claim.path);
  return { ...record, problems: [...record.problems, conflict({ row: row.number, column }, claim, other)] };
}

function conflict(place: Pick<ImportProblem, "row" | "column">, { value }: Claim, other: number): ImportProblem {
  return {
    ...place,
    value: value ?? null,
    message: `Row ${other} ${value === undefined ? "means the same product" : "has the same value"}.`,
    remedy: "Give each record different values, or remove one of them.",
  };
}
