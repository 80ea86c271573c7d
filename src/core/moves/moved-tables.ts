import type { Kysely } from "kysely";
import { runStatement } from "../queries/database.ts";
import type { Database } from "../model/tables.ts";

/** Tables of shops and members that do not move, with the reasons. */
const leftBehind = new Set([
  // Triggers count the imported rows.
  "record_counts",
  // Belong to cookies of the old installation: people log in again.
  "sessions",
  "known_devices",
  // Belong to links of the old installation, valid for half an hour.
  "password_resets",
]);

/** A table that moves with a shop. */
export interface MovedTable {
  name: string;
  columns: string[];
  /** The column with the owner of a row: the shop, or a member, whose account is shared by all shops. */
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
 * Lists the tables with rows of a shop or of its members' accounts, ordered so that no row refers to a later one. It
 * reads the database's own definitions, so that new tables are included.
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

/**
 * Sorts tables by their references. Tables with encrypted columns come as early as possible, so that a missing key is
 * detected first.
 */
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

/** The columns that are encrypted with ENCRYPTION_KEYS. */
export function sealedColumns({ columns }: Pick<MovedTable, "columns">): string[] {
  return columns.filter((column) => column.startsWith("sealed_"));
}

/** The names of the applied migrations. */
export async function listAppliedMigrations(database: Kysely<Database>): Promise<string[]> {
  const rows = await runStatement<{ name: string }>(database, "select name from migrations order by name", []);
  return rows.map(({ name }) => name);
}

/** Removes the time-outs of requests from the transaction, because a shop may take minutes. */
export async function takeTime(database: Kysely<Database>): Promise<void> {
  await runStatement(database, "set local statement_timeout = 0", []);
  await runStatement(database, "set local idle_in_transaction_session_timeout = 0", []);
}
