// Text, since PostgreSQL lists the tables, and reads and writes their rows as JSON with its own types.
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { OperatorError } from "../../platform/errors.ts";
import { cut } from "../../platform/texts.ts";
import type { Database } from "../model/tables.ts";
import { databaseTime } from "../queries/database-time.ts";
import { kysely, query } from "../queries/database.ts";
import { transactional } from "../queries/transaction.ts";

interface MovedColumn {
  name: string;
  type: string;
  isNullable: boolean;
}

/** A table that moves with a shop. */
export interface MovedTable {
  name: string;
  columns: MovedColumn[];
  /** The owner of the rows: the shop, or a member. All shops share a member's account. */
  owner: "shop" | "member";
  ownerColumn: string;
  refersTo: string[];
}

/** The origin of rows that are written elsewhere. */
export interface Header {
  /** The schema of the rows. */
  migrations: string[];
  shopId: string;
  /** ISO 8601. */
  exportedAt: string;
}

/** A row of a table as unparsed JSON, so that numbers keep their digits. */
export interface MovedRow {
  /** The number of its line in the file, from 1. */
  line: number;
  table: string;
  row: string;
}

/** The values of a row by column. */
export type RowValues = Record<string, unknown>;

export type CatalogRow = Pick<MovedTable, "name" | "columns" | "refersTo">;

/** Rows in memory at a time. */
const BATCH = 500;

const catalog = `
  select relname::text as name, json_agg(json_build_object(
      'name', attname, 'type', format_type(atttypid, null), 'isNullable', not attnotnull) order by attnum) as columns,
    array(select confrelid::regclass::text from pg_constraint where conrelid = listed.oid and contype = 'f') as "refersTo"
  from pg_class listed join pg_attribute on attrelid = listed.oid and attnum > 0 and not attisdropped
  where relkind = 'r' and relnamespace = current_schema()::regnamespace
  group by listed.oid order by relname`;

/** Reads every table of the schema. */
export function readCatalog(database: Kysely<Database>): Promise<CatalogRow[]> {
  return query(database, { text: catalog }, []);
}

/** Lists the names of the applied migrations. */
export async function listAppliedMigrations(database: Kysely<Database>): Promise<string[]> {
  const rows = await query<{ name: string }>(database, { text: "select name from migrations order by name" }, []);
  return rows.map(({ name }) => name);
}

/** Removes the time-outs of requests from the transaction, because a shop may take minutes. */
export async function liftTimeouts(database: Kysely<Database>): Promise<void> {
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

/** Reads the rows of a table that has a few of each shop, as JSON. */
export async function readAllRows(em: EntityManager, table: MovedTable, shopId: string): Promise<string[]> {
  return transactional(em, async (inside) => {
    const all: string[] = [];
    for await (const rows of readRows(kysely(inside), table, shopId)) all.push(...rows);
    return all;
  });
}

/** Deletes a shop, or the part of it that was copied, from a database in which it is closed. */
export async function deleteMovedRows(em: EntityManager, shopId: string, tables: readonly MovedTable[]): Promise<void> {
  const own = tables.filter(({ owner, name }) => owner === "shop" && !["shops", "record_counts"].includes(name));
  const names = [...own.toReversed().map(({ name }) => name), "record_counts"];
  await transactional(em, async (inside) => {
    for (const name of names) await query(kysely(inside), { text: `delete from ${name} where shop_id = $1` }, [shopId]);
    await query(kysely(inside), { text: "delete from shops where id = $1" }, [shopId]);
  });
}

const insertOfMembers = ({ name, columns }: MovedTable) => `insert into ${name} (${namesOf(columns).join(", ")})
  select ${namesOf(columns)
    .map((column) => `moved.${column}`)
    .join(", ")}
  from json_populate_recordset(null::${name}, $1) moved`;

const namesOf = (columns: Pick<MovedColumn, "name">[]) => columns.map(({ name }) => name);

/** Inserts rows into a shop, regardless of the shop that they contain. */
export async function writeRowsOfShop(
  database: Kysely<Database>,
  { name, columns, ownerColumn }: Pick<MovedTable, "name" | "ownerColumn"> & { columns: Pick<MovedColumn, "name">[] },
  { shopId, json }: { shopId: string; json: string },
): Promise<void> {
  const names = namesOf(columns);
  const values = names.map((column) => (column === ownerColumn ? "$1" : `moved.${column}`));
  const text = `insert into ${name} (${names.join(", ")}) select ${values.join(", ")}
    from json_populate_recordset(null::${name}, $2) moved`;
  await query(database, { text }, [shopId, json]);
}

/** Replaces the settings of a shop that is closed for a move. */
export async function replaceShopRow(database: Kysely<Database>, { columns }: MovedTable, json: string): Promise<void> {
  const names = namesOf(columns).filter((name) => !["id", "closed_at", "moved_to"].includes(name));
  const values = names.map((name) => `${name} = moved.${name}`).join(", ");
  const text = `update shops set ${values} from json_populate_recordset(null::shops, $1) moved where shops.id = moved.id`;
  await query(database, { text }, [json]);
}

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

/**
 * Runs a statement that leaves the transaction usable when PostgreSQL refuses its rows.
 *
 * @returns PostgreSQL's reason, without a row's values
 */
export async function tryRows(database: Kysely<Database>, write: () => Promise<void>): Promise<string | undefined> {
  await query(database, { text: "savepoint rows" }, []);
  try {
    await write();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    await query(database, { text: "rollback to savepoint rows" }, []);
    return refusal;
  }
  await query(database, { text: "release savepoint rows" }, []);
  return undefined;
}

function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, detail } = error as { code?: unknown; detail?: unknown };
  // https://www.postgresql.org/docs/current/errcodes-appendix.html: data exceptions, violated constraints, exceeded
  // limits. A node of a cluster that gets the rows by COPY reports no code.
  if (!/^(2[23]|54)/.test(String(code)) && !/violates .* constraint/.test(error.message)) return undefined;
  // Details of other errors contain the whole row.
  const isAboutKeys = code === "23503" || code === "23505";
  const text = [error.message, ...(isAboutKeys ? [String(detail)] : [])].join(". ");
  return cut(text.replace(/\s+/g, " "), 300);
}

/** The header of the rows that are read now. */
export async function describeExport(em: EntityManager, shopId: string): Promise<Header> {
  const migrations = await listAppliedMigrations(kysely(em));
  return { migrations, shopId, exportedAt: (await databaseTime(em)).toISOString() };
}

/** @throws OperatorError */
export function parseRow(json: string, line: number): RowValues {
  try {
    return JSON.parse(json) as RowValues;
  } catch {
    throw new OperatorError(`Line ${line} is not JSON`);
  }
}
