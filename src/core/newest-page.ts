import type { Kysely } from "kysely";
import { runStatement, type Database } from "./database.ts";
import { checkPage, type Page, type PageRequest } from "./pagination.ts";

export interface Condition {
  /** SQL with one `?`, such as `status = ?`. */
  sql: string;
  value: string;
}

export interface NewestPageRequest extends PageRequest {
  shopId: string;
  /** Which `record_counts` keeps as well. */
  table: "products" | "orders" | "customers";
  /** The select list. */
  columns: string;
  conditions?: Condition[];
  /** From `record_counts`, whose cost is flat, where the conditions are on its own columns; else counted. */
  total: "maintained" | "counted";
}

/**
 * A page of a shop's records, newest first, with the number of all that match, in one statement. Its ids are
 * found on an index alone, so that a deep page does not fetch the rows that it skips.
 *
 * @throws AppError VALIDATION_FAILED when the page is out of bounds
 */
export async function readNewestPage<Row>(database: Kysely<Database>, request: NewestPageRequest): Promise<Page<Row>> {
  checkPage(request);
  const { shopId, table, columns, page, limit, conditions = [] } = request;
  const narrowed = conditions.map(({ sql }, index) => ` and ${sql.replace("?", `$${index + 4}`)}`).join("");
  const total =
    request.total === "maintained"
      ? `select coalesce(sum(count), 0)::float8 from record_counts where shop_id = $1 and resource = '${table}'${narrowed}`
      : `select count(*)::float8 from ${table} where shop_id = $1${narrowed}`;
  const values = [shopId, limit, (page - 1) * limit, ...conditions.map(({ value }) => value)];
  const items = await runStatement<Row & { total: number }>(
    database,
    `select ${columns}, (${total}) as total from ${table}
    where shop_id = $1 and id = any(array(
      select id from ${table} where shop_id = $1${narrowed} order by created_at desc, id desc limit $2 offset $3
    )) order by created_at desc, id desc`,
    values,
  );
  if (items[0]) return { items, total: items[0].total };
  const [count] = await runStatement<{ total: number }>(
    database,
    // Names every parameter, for PostgreSQL asks the type of each.
    `select (${total}) as total where $2::int8 > 0 and $3::int8 >= 0`,
    values,
  );
  return { items, total: count!.total };
}
