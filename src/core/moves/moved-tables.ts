import type { Kysely } from "kysely";
import type { Database } from "../model/tables.ts";
import { readCatalog, type CatalogRow, type MovedTable } from "./moved-rows.sql.ts";

/** Triggers count the imported rows. */
const COUNTS = "record_counts";

export const SANDBOX_STAYS = "A sandbox does not move. Create another one where its shop is";

/** Tables of shops and members that do not move, with the reasons. */
const leftBehind = new Set([
  // Belong to cookies of the old installation: people log in again.
  "sessions",
  "known_devices",
  // Belong to links of the old installation, valid for half an hour.
  "password_resets",
  // Files and records that are kept for a day. The audit log has the results.
  "imports",
  "import_chunks",
  "import_items",
]);

/**
 * Lists the tables with rows of a shop or of its members' accounts, ordered so that no row refers to a later one. It
 * reads the database's own definitions, so that new tables are included.
 */
export async function listMovedTables(database: Kysely<Database>): Promise<MovedTable[]> {
  return (await listReplicatedTables(database)).filter(({ name }) => name !== COUNTS);
}

/** Lists the same tables and the counts: no trigger counts replicated rows. */
export async function listReplicatedTables(database: Kysely<Database>): Promise<MovedTable[]> {
  const rows = await readCatalog(database);
  const tables = rows.flatMap((row) => {
    const owner = ownerOf(row);
    // A sandbox does not move with its shop.
    const columns = row.columns.filter(({ name }) => !name.startsWith("sandbox_"));
    return owner && !leftBehind.has(row.name) ? [{ ...row, columns, ...owner }] : [];
  });
  return inOrder(tables);
}

function ownerOf({ name, columns }: CatalogRow): Pick<MovedTable, "owner" | "ownerColumn"> | undefined {
  if (name === "shops") return { owner: "shop", ownerColumn: "id" };
  if (name === "staff") return { owner: "member", ownerColumn: "id" };
  const has = (column: string) => columns.some((each) => each.name === column);
  if (has("shop_id")) return { owner: "shop", ownerColumn: "shop_id" };
  return has("staff_id") ? { owner: "member", ownerColumn: "staff_id" } : undefined;
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
  return columns.map(({ name }) => name).filter((name) => name.startsWith("sealed_"));
}
