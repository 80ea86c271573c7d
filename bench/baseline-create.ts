import { randomBytes } from "node:crypto";
import type { Context } from "koa";
import type pg from "pg";
import readRawBody from "raw-body";
import { slugOf } from "../src/core/products/handle.ts";
import { productSearchWords } from "../src/core/products/search-words.ts";
import { newId } from "../src/core/model/ids.ts";
import { columnsOf, created } from "./baseline-columns.ts";
// Uses the service's own functions for values, so that the rows are the same.

export interface Shop {
  shopId: string;
  keyId: string;
  scopes: string[];
  expiresAt: Date | null;
  plan: string;
  trialEndsAt: Date | null;
  currency: string;
}

/** The body of a create. */
interface NewProduct {
  title: string;
  status: string;
  price: number;
  sku: string;
  inventoryQuantity: number;
}

/** The largest body, in bytes. */
const MAX_BODY = 256 * 1024;

/** Checks a body by hand. Undefined if it is invalid. */
function parseNewProduct(json: string): NewProduct | undefined {
  let body: Partial<NewProduct>;
  try {
    body = JSON.parse(json);
  } catch {
    return undefined;
  }
  const { title, status = "ACTIVE", price, sku = "", inventoryQuantity = 0 } = body;
  const isValid =
    typeof title === "string" &&
    title.trim().length >= 1 &&
    title.length <= 255 &&
    ["ACTIVE", "DRAFT", "ARCHIVED"].includes(status) &&
    typeof price === "number" &&
    price >= 0 &&
    price <= 999_999_999_999.99 &&
    Number(price.toFixed(2)) === price &&
    typeof sku === "string" &&
    sku.length <= 64 &&
    Number.isInteger(inventoryQuantity) &&
    inventoryQuantity >= 0 &&
    inventoryQuantity <= 1_000_000_000;
  return isValid ? { title: title.trim(), status, price, sku, inventoryQuantity } : undefined;
}

async function readProduct(ctx: Context): Promise<NewProduct> {
  if (!ctx.is("application/json")) ctx.throw(415, "Content-Type must be application/json");
  const bytes = await readRawBody(ctx.req, { limit: MAX_BODY, length: ctx.get("Content-Length") || null });
  return parseNewProduct(bytes.toString()) ?? ctx.throw(400, "Validation error");
}

export async function createProduct(ctx: Context, pool: pg.Pool): Promise<void> {
  const shop = ctx.state.shop as Shop;
  const input = await readProduct(ctx);
  const client = await pool.connect();
  try {
    await client.query("begin");
    const product = await insertProduct(client, shop, input);
    await client.query("commit");
    ctx.status = 201;
    ctx.set("Location", `/api/v1/${shop.shopId}/products/${product.id}`);
    ctx.body = { product };
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

const insertProductRow = {
  name: "insert-product",
  text: `insert into products (shop_id, id, title, handle, description, status, search_words, created_at, updated_at)
    values ($1, $2, $3, $4, null, $5, $6, $7, $7) returning ${columnsOf(created)}`,
};
const insertVariantRow = {
  name: "insert-variant",
  text: `insert into variants (shop_id, id, product_id, position, title, sku, barcode, price, inventory_quantity,
    created_at, updated_at) values ($1, $2, $3, 1, 'Default Title', $4, '', $5, $6, $7, $7)`,
};
const insertStockChangeRow = {
  name: "insert-stock-change",
  text: `insert into stock_changes (shop_id, id, product_id, variant_id, reason, delta, quantity_after, actor_id, created_at)
    values ($1, $2, $3, $4, 'INITIAL', $5, $5, $6, $7)`,
};

async function insertProduct(client: pg.PoolClient, { shopId, keyId }: Shop, input: NewProduct) {
  const { title, status, price, sku, inventoryQuantity } = input;
  const now = new Date();
  const handle = await findHandle(client, shopId, title);
  const id = newId("prod");
  const search = productSearchWords({ shopId, title, handle }, [{ sku, barcode: "" }]);
  const row = [shopId, id, title, handle, status, search, now];
  const { rows: products } = await client.query({ ...insertProductRow, values: row });
  const variantId = newId("var");
  const variant = [shopId, variantId, id, sku, price, inventoryQuantity, now];
  await client.query({ ...insertVariantRow, values: variant });
  if (inventoryQuantity > 0) {
    const change = [shopId, newId("stk"), id, variantId, inventoryQuantity, keyId, now];
    await client.query({ ...insertStockChangeRow, values: change });
  }
  await insertEvent(client, shopId, now, { productId: id, handle });
  return products[0];
}

const takenHandles = {
  name: "taken-handles",
  text: "select handle from products where shop_id = $1 and handle = any($2)",
};

async function findHandle(client: pg.PoolClient, shopId: string, title: string): Promise<string> {
  const slug = slugOf(title);
  const candidates = [slug, ...Array.from({ length: 9 }, (_, index) => `${slug}-${index + 2}`)];
  const { rows } = await client.query({ ...takenHandles, values: [shopId, candidates] });
  const taken = new Set(rows.map(({ handle }) => handle));
  return candidates.find((candidate) => !taken.has(candidate)) ?? `${slug}-${randomBytes(5).toString("hex")}`;
}

const insertEventRow = {
  name: "insert-event",
  text: "insert into events (shop_id, id, topic, body, created_at) values ($1, $2, 'product.created', $3, $4)",
};
const subscribedEndpoints = {
  name: "subscribed-endpoints",
  text: "select id from webhook_endpoints where shop_id = $1 and 'product.created' = any(topics)",
};
const insertDeliveries = {
  name: "insert-deliveries",
  text: `with delivery as (
      insert into deliveries (shop_id, id, event_id, endpoint_id, topic, created_at)
      select $1, id, $2, endpoint_id, 'product.created', $3
      from unnest($4::text[], $5::text[]) as pairs (id, endpoint_id)
      returning *
    )
    insert into outstanding_deliveries (shop_id, id, event_id, endpoint_id, topic, is_test, created_at, status, attempts,
      next_attempt_at)
    select delivery.*, 'PENDING', 0, $3 from delivery`,
};
const addJob = {
  name: "add-job",
  text: `select graphile_worker.add_job('send-webhooks', json_build_object('shopId', $1::text, 'endpointId', endpoint)) from unnest($2::text[]) as endpoint`,
};

async function insertEvent(client: pg.PoolClient, shopId: string, createdAt: Date, data: object): Promise<void> {
  const id = newId("evt");
  const body = JSON.stringify({ id, topic: "product.created", shopId, createdAt: createdAt.toISOString(), data });
  await client.query({ ...insertEventRow, values: [shopId, id, body, createdAt] });
  const { rows } = await client.query({ ...subscribedEndpoints, values: [shopId] });
  if (rows.length === 0) return;
  const endpointIds = rows.map((row) => row.id);
  const deliveryIds = endpointIds.map(() => newId("whd"));
  await client.query({ ...insertDeliveries, values: [shopId, id, createdAt, deliveryIds, endpointIds] });
  await client.query({ ...addJob, values: [shopId, endpointIds] });
}
