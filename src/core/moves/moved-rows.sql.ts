// Text, since PostgreSQL lists the tables, and reads and writes their rows as JSON with its own types.
import type { Kysely } from "kysely";
import type { Database } from "../model/tables.ts";
import { query } from "../queries/database.ts";

/** A table that moves with a shop. */
export interface MovedTable {
  name: string;
  columns: string[];
  /** The owner of the rows: the shop, or a member. All shops share a member's account. */
  owner: "shop" | "member";
  ownerColumn: string;
  refersTo: string[];
}

export type CatalogueRow = Pick<MovedTable, "name" | "columns" | "refersTo">;

/** Rows in memory at a time. */
const BATCH = 500;

const catalogue = `
  select relname::text as name, array_agg(attname::text order by attnum) as columns,
    array(select confrelid::regclass::text from pg_constraint where conrelid = listed.oid and contype = 'f') as "refersTo"
  from pg_class listed join pg_attribute on attrelid = listed.oid and attnum > 0 and not attisdropped
  where relkind = 'r' and relnamespace = current_schema()::regnamespace
  group by listed.oid order by relname`;

/** Reads every table of the schema. */
export function readCatalogue(database: Kysely<Database>): Promise<CatalogueRow[]> {
  return query(database, { text: catalogue }, []);
}

/** Lists the names of the applied migrations. */
export async function listAppliedMigrations(database: Kysely<Database>): Promise<string[]> {
  const rows = await query<{ name: string }>(database, { text: "select name from migrations order by name" }, []);
  return rows.map(({ name }) => name);
}

/** Removes the time-outs of requests from the transaction, because a shop may take minutes. */
export async function takeTime(database: Kysely<Database>): Promise<void> {
  await query(database, { text: "set local statement_timeout = 0" }, []);
  await query(database, { text: "set local idle_in_transaction_session_timeout = 0" }, []);
}

/** Reads a shop's rows of a table as JSON in batches, so that no value passes through a JavaScript type. */
export async function* readRows(
  database: Kysely<Database>,
  { name, owner, ownerColumn }: MovedTable,
  shopId: string,
): AsyncGenerator<string[]> {
  const isTheirs = owner === "shop" ? "= $1" : "in (select staff_id from memberships where shop_id = $1)";
  const text = `declare moved no scroll cursor for
    select row_to_json(moved)::text as json from ${name} moved where moved.${ownerColumn} ${isTheirs}`;
  await query(database, { text }, [shopId]);
  for (let isMore = true; isMore;) {
    const rows = await query<{ json: string }>(database, { text: `fetch ${BATCH} from moved` }, []);
    isMore = rows.length === BATCH;
    if (rows.length > 0) yield rows.map(({ json }) => json);
  }
  await query(database, { text: "close moved" }, []);
}

/** Inserts rows into a shop, whatever shop they contain. */
export async function writeRowsOfShop(
  database: Kysely<Database>,
  { name, columns, ownerColumn }: MovedTable,
  { shopId, json }: { shopId: string; json: string },
): Promise<void> {
  const values = columns.map((column) => (column === ownerColumn ? "$1" : `moved.${column}`));
  const text = `insert into ${name} (${columns.join(", ")}) select ${values.join(", ")}
    from json_populate_recordset(null::${name}, $2) moved`;
  await query(database, { text }, [shopId, json]);
}

const insertOfMembers = ({ name, columns }: MovedTable) => `insert into ${name} (${columns.join(", ")})
  select ${columns.map((column) => `moved.${column}`).join(", ")}
  from json_populate_recordset(null::${name}, $1) moved`;

/** Inserts accounts that do not exist yet, and returns their ids. */
export async function writeAccounts(database: Kysely<Database>, table: MovedTable, json: string): Promise<string[]> {
  const text = `${insertOfMembers(table)} on conflict (id) do nothing returning id`;
  return (await query<{ id: string }>(database, { text }, [json])).map(({ id }) => id);
}

/** Inserts only rows of these accounts. */
export async function writeRowsOfMembers(
  database: Kysely<Database>,
  table: MovedTable,
  { json, staffIds }: { json: string; staffIds: readonly string[] },
): Promise<void> {
  await query(database, { text: `${insertOfMembers(table)} where moved.staff_id = any($2)` }, [json, staffIds]);
}

/** Finds an existing account with the address of another in the file. */
export async function findTakenAddress(
  database: Kysely<Database>,
  json: string,
): Promise<{ email: string; id: string; movedId: string } | undefined> {
  const text = `select staff.email, staff.id, moved.id as "movedId"
    from json_populate_recordset(null::staff, $1) moved join staff on lower(staff.email) = lower(moved.email)
    where not exists (select from staff known where known.id = moved.id) limit 1`;
  const [taken] = await query<{ email: string; id: string; movedId: string }>(database, { text }, [json]);
  return taken;
}
