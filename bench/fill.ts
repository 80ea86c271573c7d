import type { EntityManager } from "@mikro-orm/postgresql";
import { operator } from "../src/core/access/actor.ts";
import { createApiKey } from "../src/core/credentials/api-keys/create-api-key.ts";
import { SCOPES } from "../src/core/model/permissions.ts";
import { slugOf } from "../src/core/products/slug.ts";
import { productSearchWords } from "../src/core/products/search-words.ts";
import { createShop } from "../src/core/shops/create-shop.ts";
import { Plan } from "../src/core/model/shops/shop.entity.ts";
import { createWebhookEndpoint } from "../src/core/webhooks/endpoints/create-webhook-endpoint.ts";
import type { App } from "../src/app.ts";
import { newId } from "../src/core/model/ids.ts";

const PRODUCTS = 10_000;
const VARIANTS = ["Small", "Large"];
const MINUTE = 60_000;

interface BenchShop {
  id: string;
  key: string;
}

/** Two shops with 10,000 products each: one that is only read, and one that is written to and has one subscriber. */
export interface BenchData {
  read: BenchShop & { productIds: string[] };
  write: BenchShop;
}

export async function fillDatabase(app: App): Promise<BenchData> {
  const { core } = app;
  const em = core.orm.em;
  const read = await makeShop(em, "Read");
  const productIds = await addProducts(em, read.id);
  const write = await makeShop(em, "Write");
  await addProducts(em, write.id);
  await createWebhookEndpoint({ em, shop: write, actor: operator }, core, {
    url: "https://receiver.example/hooks",
    topics: ["product.created"],
  });
  await settleDatabase(app);
  return { read: { ...read, productIds }, write };
}

/**
 * Does the work of a worker and autovacuum. Otherwise later turns would cost more: the planner would not know about new
 * rows, and adding a job would scan all waiting ones.
 */
export async function settleDatabase({ core }: App): Promise<void> {
  const connection = core.orm.em.getConnection();
  await connection.execute("delete from graphile_worker._private_jobs");
  await connection.execute("vacuum analyze");
}

async function makeShop(em: EntityManager, name: string): Promise<BenchShop> {
  const { id } = await createShop(em, operator, { name, plan: Plan.ENTERPRISE, currency: "EUR" });
  const { secret } = await createApiKey({ em, shop: { id }, actor: operator }, { name: "Bench", scopes: [...SCOPES] });
  return { id, key: secret };
}

async function addProducts(em: EntityManager, shopId: string): Promise<string[]> {
  const start = Date.now() - PRODUCTS * MINUTE;
  const made = Array.from({ length: PRODUCTS }, (_, index) => makeProduct(shopId, index, start + index * MINUTE));
  await insertRows(
    em,
    "products",
    made.map(({ product }) => product),
  );
  await insertRows(
    em,
    "variants",
    made.flatMap(({ variants }) => variants),
  );
  return made.map(({ product }) => product.id);
}

function makeProduct(shopId: string, index: number, createdAt: number) {
  const title = `Stoneware Mug No. ${index + 1}`;
  const handle = slugOf(title);
  const instant = new Date(createdAt).toISOString();
  const common = { shop_id: shopId, created_at: instant, updated_at: instant };
  const id = newId("prod");
  const variants = VARIANTS.map((size, position) => ({
    ...common,
    id: newId("var"),
    product_id: id,
    position: position + 1,
    title: size,
    option_values: [size],
    sku: `MUG-${index + 1}-${size}`,
    barcode: String(4_006_381_000_000 + index * 2 + position),
    price: (10 + (index % 90) + position / 2).toFixed(2),
    inventory_quantity: index % 250,
  }));
  const product = {
    ...common,
    id,
    title,
    handle,
    description: "Holds 350 ml. Dishwasher safe. Thrown and glazed by hand, so that no two are alike.",
    status: "ACTIVE",
    option_names: ["Size"],
    version: 1,
    edited_version: 1,
    search_words: productSearchWords({ shopId, title, handle }, variants),
  };
  return { product, variants };
}

/** Inserts all rows in one statement. */
async function insertRows(em: EntityManager, table: string, rows: object[]): Promise<void> {
  await em
    .getConnection()
    .execute(`insert into ${table} select * from json_populate_recordset(null::${table}, ?::json)`, [
      JSON.stringify(rows),
    ]);
}
