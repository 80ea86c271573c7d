import type { Kysely } from "kysely";
import type { Database } from "../model/tables.ts";
import { readCatalogue, type CatalogueRow, type MovedTable } from "./moved-rows.sql.ts";

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

/**
 * The tables that have rows of a shop, or of the accounts of its members, in an order in which no row refers to a later one.
 * They are read off the database, which alone knows every foreign key, so that a new table cannot be forgotten.
 */
export async function listMovedTables(database: Kysely<Database>): Promise<MovedTable[]> {
  const rows = await readCatalogue(database);
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
