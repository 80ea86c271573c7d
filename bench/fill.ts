import type { EntityManager } from "@mikro-orm/postgresql";
import pg from "pg";
import { operator } from "../src/core/access/actor.ts";
import { createApiKey } from "../src/core/credentials/api-keys/api-keys.ts";
import { SCOPES } from "../src/core/model/permissions.ts";
import { createShop } from "../src/core/shops/create-shop.ts";
import { Plan } from "../src/core/model/shops/shop.entity.ts";
import { createWebhookEndpoint } from "../src/core/webhooks/endpoints/endpoints.ts";
import { functions } from "./fill/functions.sql.ts";
import { fillCustomers } from "./fill/customers.sql.ts";
import { fillOrders } from "./fill/orders.sql.ts";
import { fillProducts } from "./fill/products.sql.ts";
import { withoutIndexes } from "./fill/without-indexes.ts";
import { idOf } from "./fill/names.ts";
import type { BenchData, BenchShop } from "./fill/shop.ts";
import { progress, queryOnce, settle, type BenchDatabase } from "./open-database.ts";
import { SMALL } from "./constants.ts";

/** Numbers are unique in the database, since some indexes do not start with the shop. */
const NUMBERS_EACH = 10_000_000;
/** Rows in a statement. */
const CHUNK = 100_000;

/** Fills a database with two small shops, and a shop of `count` records of each kind. */
export async function fillDatabase(database: BenchDatabase, count: number): Promise<BenchData> {
  const { app, databaseUrl } = database;
  const { em } = app.core.orm;
  const read = await makeShop(em, "Read", 0, SMALL);
  const write = await makeShop(em, "Write", 1, SMALL);
  const measured = await makeShop(em, "Measured", 2, count);
  for (const shop of [write, measured]) await subscribe(database, shop);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("set synchronous_commit = off");
    await client.query(functions);
    await withoutIndexes(client, async () => {
      for (const shop of [read, write, measured]) await fillInChunks(client, shop, fillProducts);
      await fillInChunks(client, measured, fillCustomers);
      await fillInChunks(client, measured, fillOrders);
    });
  } finally {
    await client.end();
  }
  await settle(database);
  await queryOnce(databaseUrl, "checkpoint").catch(() => progress("Without the right to make a checkpoint"));
  return { read: { ...read, productIds: Array.from({ length: SMALL }, (_, i) => idOf("prod", i)) }, write, measured };
}

/**
 * Does the work of a worker and autovacuum. Otherwise later turns would cost more: the planner would not know about new
 * rows, and adding a job would scan all waiting ones.
 */
export async function settleDatabase(database: Pick<BenchDatabase, "databaseUrl">): Promise<void> {
  await queryOnce(database.databaseUrl, "delete from graphile_worker._private_jobs");
  await settle(database);
}

async function makeShop(em: EntityManager, name: string, place: number, count: number): Promise<BenchShop> {
  const { id } = await createShop(em, operator, { name, plan: Plan.ENTERPRISE, currency: "EUR" });
  const { secret } = await createApiKey({ em, shop: { id }, actor: operator }, { name: "Bench", scopes: [...SCOPES] });
  return { id, key: secret, first: place * NUMBERS_EACH, count };
}

async function subscribe({ app }: BenchDatabase, shop: { id: string }): Promise<void> {
  const input = { url: "https://receiver.example/hooks", topics: ["product.created" as const] };
  await createWebhookEndpoint({ em: app.core.orm.em, shop, actor: operator }, app.core, input);
}

type Fill = (client: pg.Client, shop: BenchShop, range: { from: number; to: number }) => Promise<void>;

async function fillInChunks(client: pg.Client, shop: BenchShop, fill: Fill): Promise<void> {
  progress(`  ${fill.name}: ${shop.count}`);
  for (let from = 0; from < shop.count; from += CHUNK) {
    await fill(client, shop, { from, to: Math.min(from + CHUNK, shop.count) - 1 });
  }
}
