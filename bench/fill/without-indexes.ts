import type pg from "pg";
import { progress } from "../open-database.ts";

const tables = [
  ["products", "variants", "stock_changes", "customers", "orders", "order_items", "payments"],
  ["events", "deliveries", "outstanding_deliveries", "delivery_attempts", "api_requests", "audit_entries"],
].flat();

/** Fills tables without their indexes, and creates the indexes afterward, which takes far less time. */
export async function withoutIndexes(client: pg.Client, fill: () => Promise<void>): Promise<void> {
  // Those of keys stay.
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await fill();
  progress("  creating indexes");
  await client.query("set maintenance_work_mem = '512MB'");
  for (const { definition } of rows) await client.query(definition);
}
