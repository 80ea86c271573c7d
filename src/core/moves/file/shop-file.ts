import { createHash, type Hash } from "node:crypto";
import type { Readable } from "node:stream";
import { z } from "zod";
import type { Encryption } from "../../../platform/encryption.ts";
import { OperatorError } from "../../../platform/errors.ts";
import { isId } from "../../model/ids.ts";
import type { Header, MovedRow } from "../moved-rows.sql.ts";

/** Increases with each change of the format. Files of all earlier versions are read. */
const VERSION = 1;
/** The maximum length of a line. A row of the API is much shorter. Characters. */
const LONGEST_LINE = 8 * 2 ** 20;

const headerSchema = z.strictObject({
  format: z.literal("merchant-api shop"),
  version: z.int().min(1),
  /** The schema of the rows. */
  migrations: z.array(z.string()),
  shopId: z.string().refine((id) => isId(id) && id.startsWith("shop_")),
  exportedAt: z.iso.datetime(),
});

const trailerSchema = z.strictObject({
  rows: z.record(z.string(), z.int().min(0)),
  /** The digest of all earlier lines, with their line feeds. */
  sha256: z.string(),
  /** The digest, signed by the installation. Absent before release 1.2. */
  seal: z.string().optional(),
});

/** What the key of the seal is derived for. */
const SEAL = "merchant-api shop file";

/** Counts and hashes the lines of a file while they are written or read. */
class Tally {
  readonly #hash: Hash = createHash("sha256");
  readonly #rows: Record<string, number> = {};

  addLines(text: string): string {
    this.#hash.update(text);
    return text;
  }

  count(table: string, rows: number): void {
    this.#rows[table] = (this.#rows[table] ?? 0) + rows;
  }

  result(): { rows: Record<string, number>; sha256: string } {
    return { rows: this.#rows, sha256: this.#hash.digest("hex") };
  }
}

/** Writes a file: a header, one line per row, and a sealed trailer. `rows` come in batches. */
export async function* writeShopFile(
  header: Header,
  rows: AsyncIterable<{ table: string; rows: string[] }>,
  { sign }: Encryption,
): AsyncGenerator<string> {
  const tally = new Tally();
  yield tally.addLines(`${JSON.stringify({ format: "merchant-api shop", version: VERSION, ...header })}\n`);
  for await (const { table, rows: batch } of rows) {
    tally.count(table, batch.length);
    yield tally.addLines(batch.map((row) => `{"${table}":${row}}\n`).join(""));
  }
  const end = tally.result();
  yield `${JSON.stringify({ ...end, seal: sign(end.sha256, SEAL) })}\n`;
}

/**
 * Reads a file's header, and then its rows. The trailer after the last row proves that they are complete, and that an
 * installation with one of these keys wrote them.
 *
 * @param isTrusted also reads a file without a seal of these keys
 * @throws OperatorError when the file has another or a later format; while rows are read, when it is incomplete or was changed
 */
export async function openShopFile(
  source: Readable,
  encryption: Encryption,
  isTrusted: boolean,
): Promise<{ header: Header; rows: AsyncGenerator<MovedRow> }> {
  const lines = readLines(source);
  const tally = new Tally();
  const { value: first = "" } = await lines.next();
  const { format: _format, version, ...header } = parseLine(headerSchema, first as string);
  if (version > VERSION) throw ofLaterRelease(`format ${version}; this release reads format ${VERSION}`);
  tally.addLines(`${first}\n`);
  const isSealed = ({ seal = "", sha256 }: Trailer) => isTrusted || encryption.verify(seal, sha256, SEAL);
  return { header, rows: readRows(lines, tally, isSealed) };
}

type Trailer = z.output<typeof trailerSchema>;

async function* readRows(
  lines: AsyncGenerator<string>,
  tally: Tally,
  isSealed: (trailer: Trailer) => boolean,
): AsyncGenerator<MovedRow> {
  let number = 1;
  for await (const line of lines) {
    number += 1;
    if (line.startsWith('{"rows":')) {
      const trailer = parseLine(trailerSchema, line);
      await checkEnd(lines, trailer, tally);
      if (isSealed(trailer)) return;
      throw new OperatorError(
        "The file is not sealed with a key in ENCRYPTION_KEYS, or it was altered. Append the keys of the installation that exported it. A release before 1.2 wrote no seal: import its file with --trusted if nobody can have altered it",
      );
    }
    const table = /^\{"(\w+)":\{.*\}\}$/s.exec(line)?.[1];
    if (table === undefined) throw notOurs();
    tally.addLines(`${line}\n`);
    tally.count(table, 1);
    yield { line: number, table, row: line.slice(table.length + 4, -1) };
  }
  throw new OperatorError("The file is incomplete: its last line is missing");
}

async function checkEnd(lines: AsyncGenerator<string>, trailer: Trailer, tally: Tally): Promise<void> {
  const { rows, sha256 } = tally.result();
  const isAsCounted = JSON.stringify(rows) === JSON.stringify(trailer.rows);
  if (sha256 !== trailer.sha256 || !isAsCounted || !(await lines.next()).done) {
    throw new OperatorError("The file was altered: it does not match the checksum in its last line");
  }
}

function parseLine<Schema extends z.ZodType>(schema: Schema, line: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    throw notOurs();
  }
}

/** Explains that this release cannot read the file yet. */
export function ofLaterRelease(detail: string): OperatorError {
  return new OperatorError(`A later release wrote the file (${detail}). Upgrade this installation first`);
}

function notOurs(): OperatorError {
  return new OperatorError("The file was not written by merchant-api shops export, or it is incomplete or altered");
}

/** Node's readline also splits lines at U+2028, which texts may contain. */
async function* readLines(source: Readable): AsyncGenerator<string> {
  let rest: string[] = [];
  let length = 0;
  source.setEncoding("utf8");
  for await (const chunk of source as AsyncIterable<string>) {
    const [first = "", ...others] = chunk.split("\n");
    rest.push(first);
    length += first.length;
    if (length > LONGEST_LINE)
      throw new OperatorError("The file has a line of more than 8 MiB, which no export writes");
    if (others.length === 0) continue;
    const last = others.pop()!;
    yield rest.join("");
    yield* others;
    rest = [last];
    length = last.length;
  }
  if (length > 0) yield rest.join("");
}
