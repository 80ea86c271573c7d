import type { Kysely } from "kysely";
import type { Encryption } from "../../platform/encryption.ts";
import { OperatorError } from "../../platform/errors.ts";
import type { Database } from "../model/tables.ts";
import {
  findTakenAddress,
  writeAccounts,
  writeRowsOfMembers,
  writeRowsOfShop,
  type MovedTable,
} from "./moved-rows.sql.ts";
import { listMovedTables, sealedColumns } from "./moved-tables.ts";
import { requireKeys } from "./require-keys.ts";
import type { Header, MovedRow } from "./shop-file.ts";

/** Limits of one statement: rows and characters. */
const MOST_ROWS = 500;
const MOST_CHARACTERS = 2 ** 20;

interface RowWriterOptions {
  header: Header;
  encryption: Encryption;
  onProgress: (message: string) => void;
}

/** Inserts the rows of a shop into their tables in batches. */
export class RowWriter {
  readonly #database: Kysely<Database>;
  readonly #tables: ReadonlyMap<string, MovedTable>;
  readonly #options: RowWriterOptions;
  #table: MovedTable | undefined;
  #rows: string[] = [];
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

  async add({ table: name, row }: MovedRow): Promise<void> {
    if (name !== this.#table?.name) await this.#begin(name);
    if (this.#rows.length === MOST_ROWS || this.#characters > MOST_CHARACTERS) await this.#write();
    this.#rows.push(row);
    this.#characters += row.length;
  }

  /** Inserts the remaining rows. */
  async end(): Promise<void> {
    if (this.#rows.length > 0) await this.#write();
    if (this.#table) this.#options.onProgress(`${this.#table.name}: ${this.#written}`);
  }

  async #begin(name: string): Promise<void> {
    await this.end();
    this.#table = this.#tables.get(name);
    this.#written = 0;
    if (!this.#table) throw new OperatorError(`The file has rows of ${name}, which are not part of an export`);
  }

  async #write(): Promise<void> {
    const table = this.#table!;
    const json = `[${this.#rows.join(",")}]`;
    if (sealedColumns(table).length > 0) requireKeys(table, JSON.parse(json), this.#options);
    const { shopId } = this.#options.header;
    await (table.owner === "shop"
      ? writeRowsOfShop(this.#database, table, { shopId, json })
      : this.#writeOfMembers(table, json));
    this.#written += this.#rows.length;
    this.#rows = [];
    this.#characters = 0;
  }

  async #writeOfMembers(table: MovedTable, json: string): Promise<void> {
    if (table.name === "staff") {
      await this.#requireOwnAddresses(json);
      this.#newAccounts.push(...(await writeAccounts(this.#database, table, json)));
    } else {
      await writeRowsOfMembers(this.#database, table, { json, staffIds: this.#newAccounts });
    }
  }

  /** @throws OperatorError when an existing account has the address of an imported one */
  async #requireOwnAddresses(json: string): Promise<void> {
    const taken = await findTakenAddress(this.#database, json);
    if (!taken) return;
    const { email, id, movedId } = taken;
    throw new OperatorError(
      `${email} has the account ${id} here, but ${movedId} in the file. Remove the staff member before the export, and add ${id} after the import`,
    );
  }
}
