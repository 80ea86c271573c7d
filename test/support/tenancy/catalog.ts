import { query } from "../database.ts";

/** The columns of each table and view, in order. */
export type Catalog = ReadonlyMap<string, readonly string[]>;

/** Reads the tables and views of a migrated database, and passes them to the run's processes in the environment. */
export async function announceCatalog(databaseUrl: string): Promise<void> {
  const rows = await query<{ name: string; columns: string[] }>(
    databaseUrl,
    `select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind in ('r', 'p', 'v', 'm') and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
    group by relname`,
  );
  process.env.TEST_CATALOG = JSON.stringify(rows.map(({ name, columns }) => [name, columns]));
}

let announced: Catalog | undefined;

/** The tables and views of the program. */
export function readCatalog(): Catalog {
  announced ??= new Map(JSON.parse(process.env.TEST_CATALOG!) as [string, string[]][]);
  return announced;
}

/** The column with a row's shop. Undefined for tables without shops. */
export function shopColumnOf(table: string, catalog: Catalog): string | undefined {
  const name = table === "shops" ? "id" : "shop_id";
  return catalog.get(table)?.find((column) => column === name);
}
