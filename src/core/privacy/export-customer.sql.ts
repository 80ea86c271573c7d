// Text, since PostgreSQL writes rows as JSON with its own types.
import type { EntityManager } from "@mikro-orm/postgresql";
import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../model/errors.ts";
import { isId } from "../model/ids.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { kysely, query } from "../queries/database.ts";

const BATCH = 100;
/** Characters in the answer to a request. */
const MAX_ANSWER = 4_000_000;

const jsonOf = (row: string, without = "") => `to_jsonb(${row}) - '{shop_id,search_words${without}}'::text[]`;
const partsOf = (table: string) => `(select coalesce(jsonb_agg(${jsonOf("part", ",order_id")} order by part.id), '[]')
  from ${table} part where part.shop_id = $1 and part.order_id = record.id)`;
const METADATA = `jsonb_build_object('metadata', (select coalesce(jsonb_object_agg(key, value), '{}')
  from metadata where shop_id = $1 and record_id = record.id))`;
const AUDIT = `jsonb_build_object('action', action, 'actor_kind', actor_kind, 'details', details, 'created_at', created_at)`;

const findCustomer = `select ${jsonOf("record")} || ${METADATA} as json from customers record where shop_id = $1 and id = $2`;

/** The lists of an export. Each is read in pages after the id `$3`. Staff are named by id: their data is not the customer's. */
const lists = {
  store_credit_entries: `select id, (${jsonOf("record", ",customer_id")})::text as json from store_credit_entries record
    where shop_id = $1 and customer_id = $2 and id > $3 order by id limit ${BATCH}`,
  orders: `select id, (${jsonOf("record", ",customer_id")} || ${METADATA} || jsonb_build_object(
      'items', ${partsOf("order_items")}, 'payments', ${partsOf("payments")}, 'refunds', ${partsOf("refunds")},
      'audit_entries', (select coalesce(jsonb_agg(${AUDIT} order by entry.id), '[]') from audit_entries entry
        where entry.shop_id = $1 and entry.target_id = record.id)))::text as json
    from orders record where shop_id = $1 and customer_id = $2 and id > $3 order by id limit ${BATCH}`,
  audit_entries: `select id, ${AUDIT}::text as json from audit_entries
    where shop_id = $1 and target_id = $2 and id > $3 order by id limit ${BATCH}`,
};

/**
 * Exports everything about a customer as JSON, in pieces, with the names of the columns, and records it in the audit log.
 *
 * @throws AppError NOT_FOUND
 */
export async function* exportCustomer(operation: Operation<ShopKey>, id: string): AsyncGenerator<string> {
  const { em, shop } = operation;
  const customer = await inTransaction(operation, async (inside) => {
    const [found] = isId(id) ? await read<{ json: object }>(inside.em, findCustomer, [shop.id, id]) : [];
    if (!found) throw new AppError("NOT_FOUND", "Customer not found");
    await recordAudit(inside, { action: AuditAction.CUSTOMER_EXPORTED, target: { id, name: id } });
    return found.json;
  });
  yield `{"customer":${JSON.stringify(customer)}`;
  for (const [name, text] of Object.entries(lists)) {
    yield `,\n"${name}":[`;
    for (let after = "", rows = [{ id: "", json: "" }]; rows.length > 0; after = rows.at(-1)?.id ?? after) {
      rows = await read(em, text, [shop.id, id, after]);
      if (rows.length > 0) yield `${after === "" ? "" : ","}\n${rows.map(({ json }) => json).join(",\n")}`;
    }
    yield "]";
  }
  yield "}\n";
}

/** The same as one text. @throws AppError NOT_FOUND; LIMIT_REACHED when it is too long */
export async function exportCustomerText(operation: Operation<ShopKey>, id: string): Promise<string> {
  let text = "";
  for await (const piece of exportCustomer(operation, id)) {
    text += piece;
    if (text.length > MAX_ANSWER) {
      const hint = "Ask the operator of this service to run: merchant-api customers export";
      throw new AppError("LIMIT_REACHED", "There is too much about the customer for one answer", { hint });
    }
  }
  return text;
}

const read = <Row = { id: string; json: string }>(em: EntityManager, text: string, values: string[]) =>
  query<Row>(kysely(em), { text }, values);
