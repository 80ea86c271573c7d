import type { Kysely } from "kysely";
import { type Encryption, keyNameOf } from "../../platform/encryption.ts";
import { OperatorError } from "../../platform/errors.ts";
import type { Database } from "../model/tables.ts";
import {
  findTakenAddress,
  parseRow,
  tryRows,
  writeAccounts,
  writeRowsOfMembers,
  writeRowsOfShop,
  type Header,
  type MovedRow,
  type MovedTable,
  type RowValues,
} from "./moved-rows.sql.ts";
import { listMovedTables, sealedColumns } from "./moved-tables.ts";
import { factorOwner } from "../staff/second-factor/totp.ts";
import { headersOwner } from "../webhooks/endpoints/endpoint-headers.ts";
import { secretOwner } from "../webhooks/endpoints/signing-secrets.ts";

/** Limits of one statement: rows and characters. */
const MAX_BATCH_ROWS = 500;
const MAX_BATCH_CHARACTERS = 2 ** 20;

interface RowWriterOptions {
  header: Header;
  /** An earlier release wrote the file. */
  isOlder: boolean;
  encryption: Encryption;
  onProgress: (message: string) => void;
}

/** Inserts the rows of a shop into their tables, in batches. */
export class RowWriter {
  readonly #database: Kysely<Database>;
  readonly #tables: ReadonlyMap<string, MovedTable>;
  readonly #options: RowWriterOptions;
  #table: MovedTable | undefined;
  #rows: (MovedRow & { values: RowValues })[] = [];
  #characters = 0;
  #written = 0;
  /** Accounts imported with this shop. Existing accounts stay unchanged. */
  #newAccounts: string[] = [];

  private constructor(database: Kysely<Database>, tables: MovedTable[], options: RowWriterOptions) {
    this.#database = database;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
    this.#options = options;
  }

  static async open(database: Kysely<Database>, options: RowWriterOptions): Promise<RowWriter> {
    return new RowWriter(database, await listMovedTables(database), options);
  }

  async add(row: MovedRow): Promise<void> {
    if (row.table !== this.#table?.name) await this.#begin(row);
    if (this.#rows.length === MAX_BATCH_ROWS || this.#characters > MAX_BATCH_CHARACTERS) await this.#write();
    this.#rows.push({ ...row, values: parseRow(row.row, row.line) });
    this.#characters += row.row.length;
  }

  /** Inserts the remaining rows. */
  async end(): Promise<void> {
    if (this.#rows.length > 0) await this.#write();
    if (this.#table) this.#options.onProgress(`${this.#table.name}: ${this.#written}`);
  }

  async #begin({ table: name, row, line }: MovedRow): Promise<void> {
    await this.end();
    const table = this.#tables.get(name);
    if (!table) throw new OperatorError(`The file has rows of ${name}, which are not part of an export`);
    this.#table = this.#options.isOlder ? withColumnsOf(table, parseRow(row, line)) : table;
    this.#written = 0;
  }

  async #write(): Promise<void> {
    const table = this.#table!;
    const rows = this.#rows;
    const values = rows.map((row) => row.values);
    if (sealedColumns(table).length > 0) requireKeys(table, values, this.#options);
    await this.#insert(table, rows);
    this.#written += rows.length;
    this.#rows = [];
    this.#characters = 0;
  }

  /** Inserts rows. When PostgreSQL refuses them, it inserts one by one to find the line. */
  async #insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
    const json = `[${rows.map(({ row }) => row).join(",")}]`;
    const { shopId } = this.#options.header;
    const refusal = await tryRows(this.#database, () =>
      table.owner === "shop"
        ? writeRowsOfShop(this.#database, table, { shopId, json })
        : this.#writeOfMembers(table, json),
    );
    if (refusal === undefined) return;
    if (rows.length === 1) throw new OperatorError(`Line ${rows[0]!.line}: ${table.name}: ${refusal}`);
    for (const row of rows) await this.#insert(table, [row]);
  }

  async #writeOfMembers(table: MovedTable, json: string): Promise<void> {
    if (table.name === "staff") {
      await requireOwnAddresses(this.#database, json);
      this.#newAccounts.push(...(await writeAccounts(this.#database, table, json)));
    } else {
      await writeRowsOfMembers(this.#database, table, { json, staffIds: this.#newAccounts });
    }
  }
}

/** @throws OperatorError when an existing account has the address of a moved one */
export async function requireOwnAddresses(database: Kysely<Database>, json: string): Promise<void> {
  const taken = await findTakenAddress(database, json);
  if (!taken) return;
  const { email, id, movedId } = taken;
  throw new OperatorError(
    `${email} has the account ${id} here, but ${movedId} in the shop that moves. Remove the staff member before the move, and add ${id} after it`,
  );
}

/** A table without the columns that its rows lack, which get their defaults. */
function withColumnsOf(table: MovedTable, row: RowValues): MovedTable {
  return { ...table, columns: table.columns.filter(({ name }) => name in row) };
}

type Owner = (shopId: string, row: RowValues) => string;

const endpointSecret: Owner = (shopId, { id }) => secretOwner({ shopId, id: String(id) });

/** The owner to which each encrypted column is bound. */
export const sealOwners: Record<string, Owner> = {
  "webhook_endpoints.sealed_secret": endpointSecret,
  "webhook_endpoints.sealed_old_secret": endpointSecret,
  "webhook_endpoints.sealed_headers": (shopId, { id }) => headersOwner({ shopId, id: String(id) }),
  "second_factors.sealed_secret": (_, { staff_id: id }) => factorOwner(String(id)),
};

/** @throws OperatorError when a row is encrypted with a key that is not configured */
export function requireKeys(
  table: MovedTable,
  rows: RowValues[],
  { header, encryption }: { header: Header; encryption: Encryption },
): void {
  for (const row of rows) {
    for (const column of sealedColumns(table)) {
      const sealed = row[column];
      if (sealed == null || isOver(column, row, header)) continue;
      requireKey(encryption, String(sealed), sealOwners[`${table.name}.${column}`]!(header.shopId, row));
    }
  }
}

/** Skips expired old secrets, which are no longer used. */
function isOver(column: string, { old_secret_expires_at: end }: RowValues, { exportedAt }: Header): boolean {
  return column === "sealed_old_secret" && new Date(String(end)) <= new Date(exportedAt);
}

function requireKey(encryption: Encryption, sealed: string, owner: string): void {
  const name = keyNameOf(sealed);
  if (!encryption.keyNames.includes(name)) {
    throw new OperatorError(`ENCRYPTION_KEYS lacks the key ${name}, which encrypts the secret of ${owner}`);
  }
  try {
    encryption.open(sealed, owner);
  } catch {
    throw new OperatorError(`The key ${name} in ENCRYPTION_KEYS is not the key that encrypted the secret of ${owner}`);
  }
}
