import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import readRawBody from "raw-body";
import { slugOf } from "../src/core/products/slug.ts";
import { productSearchWords } from "../src/core/products/search-words.ts";
import { newId } from "../src/core/model/ids.ts";
import { databaseTimeouts, IDLE_TIMEOUT } from "../src/platform/postgres/orm.ts";
import { createProduct, getProduct, listProducts } from "./limit-statements.ts";
import { MAX_BODY, parseNewProduct, type NewProduct } from "./new-product.ts";
import { announce } from "./servers.ts";
import { POOL_SIZE } from "./constants.ts";

// The limit: a bare server that sends one prepared statement for each request, in which PostgreSQL checks the key,
// does the work and builds the answer. It has none of the service's protections.

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: POOL_SIZE,
  idleTimeoutMillis: IDLE_TIMEOUT,
  ...databaseTimeouts,
});

/** The largest number of endpoints that a plan allows. */
const MAX_ENDPOINTS = 25;

interface Answer {
  status: number;
  body: string | null;
}

const refusal = (status: number, error: string): Answer => ({ status, body: JSON.stringify({ error }) });

async function run(statement: { name: string; text: string }, values: unknown[]): Promise<Answer> {
  const { rows } = await pool.query<Answer>({ ...statement, values });
  const [row] = rows;
  if (!row) return refusal(401, "Unauthorized");
  if (row.status === 403) return refusal(403, "Forbidden");
  return row.status === 404 ? refusal(404, "Not found") : row;
}

const PATH = /^\/api\/v1\/([^/?]+)\/products(?:\/([^/?]+))?(?:\?(.*))?$/;

async function answer(request: IncomingMessage): Promise<Answer> {
  const [, shopId, id, query] = PATH.exec(request.url!) ?? [];
  if (shopId === undefined) return refusal(404, "Not found");
  const [, key] = /^Bearer +(\S+)$/.exec(request.headers.authorization ?? "") ?? [];
  if (!key) return refusal(401, "Unauthorized");
  const digest = createHash("sha256").update(key).digest();
  if (request.method === "POST") return create(digest, shopId, request);
  if (id !== undefined) return run(getProduct, [digest, shopId, id]);
  const parameters = new URLSearchParams(query);
  const page = Number(parameters.get("page") ?? 1);
  const limit = Number(parameters.get("limit") ?? 50);
  const isValid = Number.isInteger(page) && page >= 1 && Number.isInteger(limit) && limit >= 1 && limit <= 250;
  return isValid ? run(listProducts, [digest, shopId, limit, page]) : refusal(400, "Validation error");
}

async function create(digest: Buffer, shopId: string, request: IncomingMessage): Promise<Answer> {
  if (request.headers["content-type"] !== "application/json")
    return refusal(415, "Content-Type must be application/json");
  const bytes = await readRawBody(request, { limit: MAX_BODY, length: request.headers["content-length"] });
  const product = parseNewProduct(bytes.toString());
  if (!product) return refusal(400, "Validation error");
  const slug = slugOf(product.title);
  const created = await run(createProduct, valuesOf(digest, shopId, product, slug));
  if (created.body !== null) return created;
  return run(createProduct, valuesOf(digest, shopId, product, `${slug}-${randomBytes(5).toString("hex")}`));
}

function valuesOf(
  digest: Buffer,
  shopId: string,
  { title, status, price, sku, inventoryQuantity }: NewProduct,
  handle: string,
): unknown[] {
  const [productId, eventId, now] = [newId("prod"), newId("evt"), new Date()];
  const data = { productId, handle, version: 1 };
  const event = { id: eventId, topic: "product.created", shopId, createdAt: now.toISOString(), data };
  return [
    digest,
    shopId,
    productId,
    title,
    handle,
    status,
    productSearchWords({ shopId, title, handle }, [{ sku, barcode: "" }]),
    newId("var"),
    sku,
    price,
    inventoryQuantity,
    newId("stk"),
    eventId,
    JSON.stringify(event),
    now,
    Array.from({ length: MAX_ENDPOINTS }, () => newId("whd")),
  ];
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await answer(request).catch((error: unknown) => {
    // Each turn ends during requests, which fail once their client is gone.
    if (!request.destroyed) console.error(error);
    return refusal(500, "Internal server error");
  });
  const bytes = Buffer.from(body!);
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "content-length": bytes.length });
  response.end(bytes);
}

const server = createServer((request, response) => void respond(request, response));
server.listen(0, "127.0.0.1", () => announce((server.address() as AddressInfo).port));
