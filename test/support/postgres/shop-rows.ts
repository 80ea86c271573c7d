import type { TestServer } from "../server.ts";

export type Row = Record<string, unknown>;

/** All rows of one shop, by table. Jobs are in `jobs`. */
export type ShopRows = Record<string, Row[]>;

/** Uses the server's connections, because new ones would first have to load every table's definition. */
export async function readShopRows({ em }: TestServer, shop: { id: string }): Promise<ShopRows> {
  const tables = await em.execute<{ name: string }[]>(
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'shop_id'`,
  );
  const sources = [
    "select 'shops' as name, to_jsonb(stored) as stored from shops stored where id = ?",
    "select 'jobs', to_jsonb(stored) from graphile_worker._private_jobs stored where payload ->> 'shopId' = ?",
    ...tables.map(({ name }) => `select '${name}', to_jsonb(stored) from ${name} stored where shop_id = ?`),
  ];
  const rows = await em.execute<{ name: string; stored: Row }[]>(
    `${sources.join(" union all ")} order by name, stored`,
    sources.map(() => shop.id),
  );
  const byTable = Map.groupBy(rows, ({ name }) => name);
  return Object.fromEntries([...byTable].map(([name, group]) => [name, group.map(({ stored }) => stored)]));
}

/** The rows of a table that were added, in their current state. */
export function newRows(before: ShopRows, after: ShopRows, table: string): Row[] {
  const known = new Set((before[table] ?? []).map(({ id }) => id));
  return (after[table] ?? []).filter(({ id }) => !known.has(id));
}

/** The tables of an API resource: its own, and the tables that refer to it. */
const parts = {
  product: { products: "id", variants: "product_id" },
  order: { orders: "id", order_items: "order_id", payments: "order_id", refunds: "order_id" },
  customer: { customers: "id", store_credit_entries: "customer_id" },
} as const;

export type Resource = keyof typeof parts;
export const resources = Object.keys(parts) as Resource[];

export interface ResourceChange {
  kind: "created" | "changed" | "deleted";
  /** The last state of the resource's own row. */
  row: Row;
}

/** The changed resources of a kind, by id. */
export function changedResources(before: ShopRows, after: ShopRows, resource: Resource): Map<string, ResourceChange> {
  const [old, now] = [statesOf(before, resource), statesOf(after, resource)];
  const changes = new Map<string, ResourceChange>();
  for (const id of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(id), now.get(id)];
    if (was?.text === is?.text) continue;
    const kind = was ? (is ? "changed" : "deleted") : "created";
    changes.set(id, { kind, row: (is ?? was)!.row });
  }
  return changes;
}

function statesOf(rows: ShopRows, resource: Resource): Map<string, { row: Row; text: string }> {
  const tables = Object.entries(parts[resource]);
  const [[table]] = tables as [[string, string]];
  return new Map(
    (rows[table] ?? []).map((row) => {
      const own = tables.map(([name, column]) => (rows[name] ?? []).filter((part) => part[column] === row.id));
      return [row.id as string, { row, text: JSON.stringify(own) }];
    }),
  );
}
