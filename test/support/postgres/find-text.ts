import type { TestServer } from "../server.ts";

/** The tables of every schema with a row that contains the text in any column, ignoring case. */
export async function findText({ em }: TestServer, text: string): Promise<string[]> {
  const tables = await em.execute<{ name: string }[]>(
    `select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'graphile_worker') order by 1`,
  );
  const sources = tables.map(
    ({ name }) =>
      `select '${name}' as name where exists (select from ${name} row where strpos(lower(row::text), lower(?)) > 0)`,
  );
  const found = await em.execute<{ name: string }[]>(
    sources.join(" union all "),
    tables.map(() => text),
  );
  return found.map(({ name }) => name);
}
