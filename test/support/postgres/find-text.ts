import type { TestServer } from "../server.ts";

/** The tables of every schema with a row that contains the text in any column, ignoring case. */
export async function findText({ em }: TestServer, text: string): Promise<string[]> {
  const tables = await em.execute<{ name: string }[]>(
    `select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'graphile_worker') order by 1`,
  );
  const found: string[] = [];
  // One at a time, because Citus refuses whole rows in a union.
  for (const { name } of tables) {
    const rows = await em.execute(`select from ${name} row where strpos(lower(row::text), lower(?)) > 0 limit 1`, [
      text,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
