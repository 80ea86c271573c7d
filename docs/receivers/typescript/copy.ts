// A copy of a shop in the SQLite file shop.db. Needs Node 22.18 or newer and the package standardwebhooks:
//   WEBHOOK_SECRET="whsec_…" MERCHANT_API_KEY="sk_live_…" SHOP="https://…/api/v1/shop_…" PORT=3000 node copy.ts
// oxlint-disable typescript/no-explicit-any -- rows and JSON
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { Webhook } from "standardwebhooks";

const { SHOP, MERCHANT_API_KEY, WEBHOOK_SECRET = "", PORT = "3000" } = process.env;
const db = new DatabaseSync("shop.db", { timeout: 5_000 });
db.exec(`pragma journal_mode = wal; create table if not exists queue (key primary key, list, id, version);
  create table if not exists records (list, id, version, walk, body, primary key (list, id));
  create table if not exists walks (started); create index if not exists by_walk on records (walk)`);
const rows = (sql: string, ...values: any[]): any[] => db.prepare(sql).all(...values);
/** Queues an event, or a page without an ID, whose key is its URL. */
const add = (...job: any[]) => rows("insert or ignore into queue values (?, ?, ?, ?)", ...job);

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

/** Stores the current state of a record, or deletes it. Some fields are in the list only, where a search finds them. */
async function refresh(list: string, id: string, version: number, listed?: object): Promise<void> {
  const [known] = rows("select version, body from records where list = ? and id = ?", list, id);
  if (version > 0 && known?.version >= version) return;
  const { found } = await get(`${SHOP}/${list}/${id}`);
  if (!found) return void rows("delete from records where list = ? and id = ?", list, id);
  if (!listed && (list === "products" || !known)) {
    // By characters: half of one, as `slice` of a text may leave, has no URL.
    const words = [...(found.variants?.[0]?.sku || found.title || "").split(/\s+/, 8).join(" ")].slice(0, 200).join("");
    const page = await get(`${SHOP}/${list}?limit=250${words && `&search=${encodeURIComponent(words)}`}`);
    listed = page.found.find((item: any) => item.id === id);
  }
  const body = JSON.stringify({ ...(known && JSON.parse(known.body)), ...found, ...listed });
  rows("replace into records select ?, ?, ?, coalesce(max(started), 0), ? from walks", list, id, version || 1, body);
}

createServer(async (request, response) => {
  try {
    const { id, topic, data }: any = new Webhook(WEBHOOK_SECRET).verify(await text(request), request.headers as any);
    add(id, topic.replace(/\..*/, "s"), data.productId ?? data.orderId ?? data.customerId, data.version ?? 1);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(Number(PORT), "127.0.0.1");

// Events, then pages of the daily walk, then what it missed. One after the other, so that the last state is the newest.
const jobs = `with waiting as (select value from json_each(?))
  select * from (select * from queue where key not in waiting order by id is null limit 1) union all
  select list || '/' || id, list, id, 0 from records
    where walk < (select max(started) from walks) and list || '/' || id not in waiting limit 1`;
/** Jobs that failed, and wait for longer each time. The others do not wait for them. Milliseconds. */
const failed = new Map<string, { until: number; pause: number }>();
for (;;) {
  const waiting = [...failed].filter(([, { until }]) => until > Date.now()).map(([key]) => key);
  const [job] = rows(jobs, JSON.stringify(waiting));
  if (job) {
    try {
      const { found, next } = job.id ? { found: [job] } : await get(job.key);
      for (const item of found) await refresh(job.list, item.id, job.version, job.id ? undefined : item);
      if (next) add(next, job.list, null, 0);
      rows("delete from queue where key = ?", job.key);
      failed.delete(job.key);
    } catch (error) {
      console.error(String(error));
      const pause = Math.min(2 * (failed.get(job.key)?.pause ?? 500), 3_600_000);
      failed.set(job.key, { until: Date.now() + pause, pause });
    }
  } else if (Date.now() - (rows("select max(started) as at from walks")[0].at ?? 0) < 86_400_000) await setTimeout(200);
  else {
    for (const list of ["products", "orders", "customers"]) add(`${SHOP}/${list}?limit=250`, list, null, 0);
    rows("insert into walks values (?)", Date.now());
  }
}
