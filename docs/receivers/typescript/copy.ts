// A copy of a shop in the SQLite file shop.db. Needs Node 22.18 or newer and the package standardwebhooks:
//   WEBHOOK_SECRET="whsec_…" MERCHANT_API_KEY="sk_live_…" SHOP="https://…/api/v1/shop_…" PORT=3000 node copy.ts
// oxlint-disable typescript/no-explicit-any -- rows and JSON
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { Webhook } from "standardwebhooks";

const { SHOP, MERCHANT_API_KEY, WEBHOOK_SECRET = "", PORT = "3000" } = process.env;
const lists = ["products", "orders", "customers"];
const db = new DatabaseSync("shop.db");
db.exec(`pragma journal_mode = wal; pragma busy_timeout = 5000;
  create table if not exists records (list text, id text, version int, walk int, body text, primary key (list, id));
  create table if not exists events (id text primary key, list text, record text, version int);
  create table if not exists walks (walk integer primary key, started int, url text)`);
const rows = (sql: string, ...values: any[]): any[] => db.prepare(sql).all(...values);

/** The record or the page at a URL. Undefined if it does not exist. Waits while the service is busy or away. */
async function get(url: string): Promise<{ found?: any; next?: string }> {
  for (let wait = 1; ; wait = Math.min(wait * 2, 60)) {
    const options = { headers: { Authorization: `Bearer ${MERCHANT_API_KEY}` }, signal: AbortSignal.timeout(30_000) };
    const response = await fetch(url, options).catch(() => undefined);
    if (response?.status === 404) return {};
    const next = /<([^>]+)>; rel="next"/.exec(response?.headers.get("Link") ?? "")?.[1];
    if (response?.ok) return { found: Object.values((await response.json()) as object)[0], next };
    if (response && response.status < 500 && response.status !== 429) throw new Error(`${response.status} for ${url}`);
    await setTimeout((Number(response?.headers.get("Retry-After")) || wait) * 1_000);
  }
}

/** Stores the current state of a record, or deletes it. Some fields are in the list only: a search finds a product there. */
async function refresh(list: string, id: string, version: number, listed?: object): Promise<void> {
  const { found } = await get(`${SHOP}/${list}/${id}`);
  if (!found) return void rows("delete from records where list = ? and id = ?", list, id);
  const [known] = rows("select version, body from records where list = ? and id = ?", list, id);
  if (!listed && (list === "products" || !known)) {
    const code: string = found.variants?.find(({ sku }: any) => sku)?.sku ?? found.title ?? "";
    const search = encodeURIComponent(code.split(/\s+/).slice(0, 8).join(" ").slice(0, 200));
    const page = await get(`${SHOP}/${list}?limit=250${search && `&search=${search}`}`);
    listed = page.found.find((item: any) => item.id === id);
  }
  const body = JSON.stringify({ ...(known && JSON.parse(known.body)), ...found, ...listed });
  const save = "replace into records select ?, ?, ?, coalesce(max(walk), 0), ? from walks";
  rows(save, list, id, Math.max(version, known?.version ?? 1), body);
}

/** Applies an event, or reads a page of the daily walk: one after the other, so that the state read last is the newest. */
async function goOn(): Promise<unknown> {
  const [event] = rows("select * from events limit 1");
  if (event) {
    const [known] = rows("select version from records where list = ? and id = ?", event.list, event.record);
    if (event.version > (known?.version ?? 0)) await refresh(event.list, event.record, event.version);
    return rows("delete from events where id = ?", event.id);
  }
  const [{ walk, started, url } = { walk: 0, started: 0, url: null }] = rows("select * from walks order by walk desc");
  if (!url && Date.now() - started < 86_400_000) return setTimeout(200);
  if (!url) return rows("insert into walks values (?, ?, ?)", walk + 1, Date.now(), `${SHOP}/products?limit=250`);
  const list = new URL(url).pathname.split("/").at(-1)!;
  const { found, next } = await get(url);
  for (const item of found) await refresh(list, item.id, 1, item);
  const missed = next ? [] : rows("select id from records where list = ? and walk < ?", list, walk);
  for (const { id } of missed) await refresh(list, id, 1);
  const following = lists[lists.indexOf(list) + 1];
  const after = next ?? (following ? `${SHOP}/${following}?limit=250` : null);
  return rows("update walks set url = ? where walk = ?", after, walk);
}

createServer(async (request, response) => {
  try {
    const body = await text(request);
    const { id, topic, data } = new Webhook(WEBHOOK_SECRET).verify(
      body,
      request.headers as Record<string, string>,
    ) as any;
    const noun = topic.split(".")[0];
    rows("insert or ignore into events values (?, ?, ?, ?)", id, `${noun}s`, data[`${noun}Id`], data.version ?? 1);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(Number(PORT), "127.0.0.1");

for (;;) await goOn();
