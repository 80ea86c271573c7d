import type { Kysely } from "kysely";
import { runStatement } from "../queries/database.ts";
import type { Database } from "../model/tables.ts";

/** Tables of shops and of their members that stay where they are, and why. */
const leftBehind = new Set([
  // Triggers count the rows as they come in.
  "record_counts",
  // Cookies of the old place: people log in anew.
  "sessions",
  "known_devices",
  // Links to the old place, for half an hour.
  "password_resets",
]);

/** A table whose rows move with a shop. */
export interface MovedTable {
  name: string;
  columns: string[];
  /** The column that tells whose a row is: the shop's, or a member's, whose account is of the whole service. */
  owner: "shop" | "member";
  ownerColumn: string;
  refersTo: string[];
}

type CatalogueRow = Pick<MovedTable, "name" | "columns" | "refersTo">;

const readCatalogue = `
  select relname::text as name, array_agg(attname::text order by attnum) as columns,
    array(select confrelid::regclass::text from pg_constraint where conrelid = listed.oid and contype = 'f') as "refersTo"
  from pg_class listed join pg_attribute on attrelid = listed.oid and attnum > 0 and not attisdropped
  where relkind = 'r' and relnamespace = current_schema()::regnamespace
  group by listed.oid order by relname`;

/**
 * The tables that have rows of a shop, or of the accounts of its members, in an order in which no row refers to a later one.
 * They are read off the database, which alone knows every foreign key, so that a new table cannot be forgotten.
 */
export async function listMovedTables(database: Kysely<Database>): Promise<MovedTable[]> {
  const rows = await runStatement<CatalogueRow>(database, readCatalogue, []);
  const tables = rows.flatMap((row) => {
    const owner = ownerOf(row);
    return owner && !leftBehind.has(row.name) ? [{ ...row, ...owner }] : [];
  });
  return inOrder(tables);
}

function ownerOf({ name, columns }: CatalogueRow): Pick<MovedTable, "owner" | "ownerColumn"> | undefined {
  if (name === "shops") return { owner: "shop", ownerColumn: "id" };
  if (name === "staff") return { owner: "member", ownerColumn: "id" };
  if (columns.includes("shop_id")) return { owner: "shop", ownerColumn: "shop_id" };
  return columns.includes("staff_id") ? { owner: "member", ownerColumn: "staff_id" } : undefined;
}

/** Sorts tables by their references. Sealed columns come as early as they can, so that a missing key is noticed at once. */
function inOrder(tables: MovedTable[]): MovedTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<MovedTable>();
  const add = (table: MovedTable) => {
    for (const name of table.refersTo) {
      const other = byName.get(name);
      if (other && other !== table && !ordered.has(other)) add(other);
    }
    ordered.add(table);
  };
  for (const table of tables) if (sealedColumns(table).length > 0) add(table);
  for (const table of tables) add(table);
  return [...ordered];
}

/** The columns that hold what only ENCRYPTION_KEYS open. */
export function sealedColumns({ columns }: Pick<MovedTable, "columns">): string[] {
  return columns.filter((column) => column.startsWith("sealed_"));
}

/** The names of the migrations that the database has. */
export async function listAppliedMigrations(database: Kysely<Database>): Promise<string[]> {
  const rows = await runStatement<{ name: string }>(database, "select name from migrations order by name", []);
  return rows.map(({ name }) => name);
}

/** Takes off the transaction what bounds the statements and pauses of requests: a shop may take minutes. */
export async function takeTime(database: Kysely<Database>): Promise<void> {
  await runStatement(database, "set local statement_timeout = 0", []);
  await runStatement(database, "set local idle_in_transaction_session_timeout = 0", []);
}
