import { createHash } from "node:crypto";
import type { AddressInfo } from "node:net";
import Router from "@koa/router";
import Koa, { type Context, type Next } from "koa";
import pg from "pg";
import { databaseTimeouts, IDLE_TIMEOUT } from "../src/platform/postgres/orm.ts";
import { createProduct, type Shop } from "./baseline-create.ts";
import { columnsOf, listed, single } from "./baseline-columns.ts";
import { announce } from "./servers.ts";
import { POOL_SIZE } from "./constants.ts";

// The baseline: the three routes written by hand, without a core, a mapper or a schema between Koa and PostgreSQL. It
// looks up the key and counts the list on every request.

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: POOL_SIZE,
  idleTimeoutMillis: IDLE_TIMEOUT,
  ...databaseTimeouts,
});

const findKey = {
  name: "find-key",
  text: `select shops.id as "shopId", api_keys.id as "keyId", scopes, expires_at as "expiresAt", plan, trial_ends_at as "trialEndsAt", currency
    from api_keys join shops on shops.id = api_keys.shop_id where digest = $1 and revoked_at is null`,
};

function requireScope(scope: string) {
  return async (ctx: Context, next: Next) => {
    const [, key] = /^Bearer +(\S+)$/.exec(ctx.get("Authorization")) ?? [];
    if (!key) ctx.throw(401, "Unauthorized");
    const { rows } = await pool.query<Shop>({ ...findKey, values: [createHash("sha256").update(key).digest()] });
    const [shop] = rows;
    const now = new Date();
    if (!shop || (shop.expiresAt && shop.expiresAt <= now)) ctx.throw(401, "Unauthorized");
    if (shop.shopId !== ctx.params.shopId) ctx.throw(404, "Shop not found");
    const isFull = shop.plan === "ENTERPRISE" || (shop.plan === "TRIAL" && shop.trialEndsAt! > now);
    const isAllowed = isFull || (shop.plan === "GROWTH" && scope.startsWith("read_"));
    if (!isAllowed || !shop.scopes.includes(scope)) ctx.throw(403, "Forbidden");
    ctx.state.shop = shop;
    return next();
  };
}

const pageOfProducts = {
  name: "page-of-products",
  text: `select ${columnsOf(listed.product)} from products
    where shop_id = $1 order by created_at desc, id desc limit $2 offset $3`,
};
const variantsOfPage = {
  name: "variants-of-page",
  text: `select product_id, ${columnsOf(listed.variant)} from variants
    where shop_id = $1 and product_id = any($2) order by product_id, position`,
};
const countProducts = { name: "count-products", text: "select count(*) from products where shop_id = $1" };

async function listProducts(ctx: Context): Promise<void> {
  const { shopId } = ctx.state.shop as Shop;
  const page = Number(ctx.query.page ?? 1);
  const limit = Number(ctx.query.limit ?? 50);
  if (!Number.isInteger(page) || page < 1) ctx.throw(400, "Validation error");
  if (!Number.isInteger(limit) || limit < 1 || limit > 250) ctx.throw(400, "Validation error");
  const { rows: products } = await pool.query({ ...pageOfProducts, values: [shopId, limit, (page - 1) * limit] });
  const { rows: variants } = await pool.query({ ...variantsOfPage, values: [shopId, products.map(({ id }) => id)] });
  const { rows: counts } = await pool.query({ ...countProducts, values: [shopId] });
  const total = Number(counts[0].count);
  const byProduct = Map.groupBy(variants, (variant) => variant.product_id);
  ctx.body = {
    products: products.map((product) => ({
      ...product,
      variants: (byProduct.get(product.id) ?? []).map(({ product_id: _, ...variant }) => priced(variant)),
    })),
    pagination: { page, limit, total, pages: Math.ceil(total / limit) },
  };
}

const oneProduct = {
  name: "one-product",
  text: `select ${columnsOf(single.product)} from products where shop_id = $1 and id = $2`,
};
const variantsOfOne = {
  name: "variants-of-one",
  text: `select ${columnsOf(single.variant)} from variants where shop_id = $1 and product_id = $2 order by position`,
};

async function getProduct(ctx: Context): Promise<void> {
  const values = [(ctx.state.shop as Shop).shopId, ctx.params.id];
  const { rows: products } = await pool.query({ ...oneProduct, values });
  const [product] = products;
  if (!product) ctx.throw(404, "Product not found");
  const { rows: variants } = await pool.query({ ...variantsOfOne, values });
  ctx.body = { product: { ...product, variants: variants.map(priced) } };
}

function priced(variant: { price: string }) {
  return { ...variant, price: Number(variant.price) };
}

const router = new Router({ prefix: "/api/v1/:shopId/products" });
router.get("/", requireScope("read_products"), (ctx) => listProducts(ctx));
router.get("/:id", requireScope("read_products"), (ctx) => getProduct(ctx));
router.post("/", requireScope("write_products"), (ctx) => createProduct(ctx, pool));

const koa = new Koa();
// Each turn ends during requests, which fail once their client is gone.
koa.on("error", (error, ctx: Context) => {
  if (!ctx.req.destroyed) console.error(error);
});
koa.use(router.routes());
const server = koa.listen(0, "127.0.0.1", () => announce((server.address() as AddressInfo).port));
