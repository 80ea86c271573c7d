import type { Kysely } from "kysely";
import type { Encryption } from "../../platform/encryption.ts";
import { OperatorError } from "../../platform/errors.ts";
import { runStatement } from "../queries/database.ts";
import type { Database } from "../model/tables.ts";
import { listMovedTables, sealedColumns, type MovedTable } from "./moved-tables.ts";
import { requireKeys } from "./require-keys.ts";
import type { Header, MovedRow } from "./shop-file.ts";

/** Bounds of one statement: rows, and characters. */
const MOST_ROWS = 500;
const MOST_CHARACTERS = 2 ** 20;

interface RowWriterOptions {
  header: Header;
  encryption: Encryption;
  onProgress: (message: string) => void;
}

/** Writes the rows of a shop into their tables, a batch at a time. */
export class RowWriter {
  readonly #database: Kysely<Database>;
  readonly #tables: ReadonlyMap<string, MovedTable>;
  readonly #options: RowWriterOptions;
  #table: MovedTable | undefined;
  #rows: string[] = [];
  #characters = 0;
  #written = 0;
  /** Accounts that came with this shop; others were here, and stay as they are. */
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

  /** Writes what is left. */
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
    await (table.owner === "shop" ? this.#writeOfShop(table, json) : this.#writeOfMembers(table, json));
    this.#written += this.#rows.length;
    this.#rows = [];
    this.#characters = 0;
  }

  /** Whatever a row says, it becomes one of this shop. */
  async #writeOfShop({ name, columns, ownerColumn }: MovedTable, json: string): Promise<void> {
    const values = columns.map((column) => (column === ownerColumn ? "$1" : `moved.${column}`));
    await runStatement(
      this.#database,
      `insert into ${name} (${columns.join(", ")}) select ${values.join(", ")}
      from json_populate_recordset(null::${name}, $2) moved`,
      [this.#options.header.shopId, json],
    );
  }

  async #writeOfMembers({ name, columns }: MovedTable, json: string): Promise<void> {
    const insert = `insert into ${name} (${columns.join(", ")})
      select ${columns.map((column) => `moved.${column}`).join(", ")}
      from json_populate_recordset(null::${name}, $1) moved`;
    if (name === "staff") {
      await this.#requireOwnAddresses(json);
      const text = `${insert} on conflict (id) do nothing returning id`;
      const made = await runStatement<{ id: string }>(this.#database, text, [json]);
      this.#newAccounts.push(...made.map(({ id }) => id));
    } else {
      await runStatement(this.#database, `${insert} where moved.staff_id = any($2)`, [json, this.#newAccounts]);
    }
  }

  /** @throws OperatorError when somebody here has the address of an account that comes */
  async #requireOwnAddresses(json: string): Promise<void> {
    const [other] = await runStatement<{ email: string; id: string; movedId: string }>(
      this.#database,
      `select staff.email, staff.id, moved.id as "movedId"
      from json_populate_recordset(null::staff, $1) moved join staff on lower(staff.email) = lower(moved.email)
      where not exists (select from staff known where known.id = moved.id) limit 1`,
      [json],
    );
    if (!other) return;
    const { email, id, movedId } = other;
    throw new OperatorError(
      `${email} has the account ${id} here, but ${movedId} in the file. Remove the staff member before the export, and add ${id} after the import`,
    );
  }
}
