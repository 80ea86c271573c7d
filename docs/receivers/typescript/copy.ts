// A copy of a shop in the SQLite file copy.db. Needs Node 22.18 or newer, and nothing else:
//   BASE_URL=https://… TOKEN=svt_… SHOP_ID=shop_… MODE=pull node copy.ts
// MODE=poll asks for changes. MODE=push is sent events at PUBLIC_URL, an https URL that leads to PORT.
// oxlint-disable typescript/no-explicit-any -- rows and JSON
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

const { BASE_URL, TOKEN, SHOP_ID: shopId, MODE = "pull", PUBLIC_URL: url, PORT = "3000" } = process.env;
const [WALK_EVERY, POLL_EVERY, MARGIN] = [86_400_000, 60_000, 60_000]; // milliseconds. Changes appear after their time
const topics = `product.created product.updated product.deleted customer.created customer.updated
  order.created order.updated order.paid order.cancelled order.refunded`.split(/\s+/);
const lists: Record<string, string> = {
  products: "id version title handle status description variants { id title sku barcode price inventoryQuantity }",
  orders: `id version orderNumber status channel totalAmount currency createdAt customer { id }
    items { id productId variantId title sku quantity totalAmount } payments { id method status amount refundedAmount }`,
  customers: "id version email firstName lastName phone storeCreditBalance createdAt",
};
const db = new DatabaseSync("copy.db", { timeout: 5_000 });
db.exec(`pragma journal_mode = wal; create table if not exists state (id primary key, value);
  create table if not exists records (id primary key, version, list, walk, body);
  create table if not exists queue (id primary key, event)`);
const rows = (sql: string, ...values: any[]): any[] => db.prepare(sql).all(...values);
const state = JSON.parse(rows("select value from state")[0]?.value ?? "{}");
const keep = (news: any) => rows("replace into state values (1, ?)", JSON.stringify(Object.assign(state, news)));
const save = (list: string, { id, version, ...body }: any) =>
  rows("replace into records values (?, ?, ?, ?, ?)", id, version, list, state.walkedAt, JSON.stringify(body));

/** Sends an operation. Waits while the service is busy or away. */
async function ask(query: string, variables: object): Promise<any> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${TOKEN}` };
  const body = JSON.stringify({ query, variables: { shopId, ...variables } });
  for (let wait = 1; ; wait = Math.min(wait * 2, 60)) {
    const options = { method: "POST", headers, body, signal: AbortSignal.timeout(40_000) };
    const response = await fetch(`${BASE_URL}/graphql`, options).catch(() => undefined);
    const { data, errors }: any = (await response?.json().catch(() => undefined)) ?? {};
    if (data && !errors) return { ...data, ...data.shop, date: response!.headers.get("Date") };
    if (errors && !/UNAVAILABLE|INTERNAL/.test(errors[0].extensions.code)) throw new Error(JSON.stringify(errors));
    await setTimeout((Number(response?.headers.get("Retry-After")) || wait) * 1_000);
  }
}

/** Finds its endpoint, or creates it. Only then the walk begins, so that no change is missed between them. */
async function subscribe(): Promise<void> {
  const [type, address] = MODE === "push" ? ["WebhookEndpoint", { url }] : ["PullEndpoint", {}];
  const input = { topics, description: `copy.ts by ${MODE}`, ...address };
  const own = "query ($shopId: ID!) { shop(id: $shopId) { endpoints: webhookEndpoints { id description } } }";
  const { endpoints } = MODE === "poll" ? { endpoints: [{ ...input, id: MODE }] } : await ask(own, {});
  const id = endpoints.find(({ description }: any) => description === input.description)?.id;
  if (!id) {
    // The key is stored first: after a crash, it creates no second endpoint.
    keep({ key: state.key ?? randomUUID() });
    const create = `mutation ($shopId: ID!, $input: Create${type}Input!, $key: String) {
      create${type}(shopId: $shopId, input: $input, idempotencyKey: $key) { __typename } }`;
    await ask(create, { input, key: state.key });
    return subscribe();
  }
  if (id === state.id) return;
  // A secret is shown once, and a crash may have lost it.
  const rotate = `mutation ($shopId: ID!, $id: ID!) {
    rotated: rotateWebhookSecret(shopId: $shopId, id: $id, input: { overlapHours: 0 }) { secret } }`;
  const { secret } = MODE === "push" ? (await ask(rotate, { id })).rotated : {};
  keep({ id, secret, key: undefined, walk: undefined, walkedAt: 0 });
}

/** Reads a page of a walk: of all records, or of the records changed since a time. */
async function readPage({ list, after, since, next }: any): Promise<void> {
  const fields = `${list}(limit: 100, after: $after, updatedSince: $since) { nextCursor items { ${lists[list]} } }`;
  const query = `query ($shopId: ID!, $after: String, $since: Timestamp) { shop(id: $shopId) { page: ${fields} } }`;
  const { page, date } = await ask(query, { after, since });
  next ??= new Date(Date.parse(date) - MARGIN).toISOString();
  const following = page.nextCursor ? list : Object.keys(lists)[Object.keys(lists).indexOf(list) + 1];
  const walk = following && { list: following, after: page.nextCursor, since, next };
  db.exec("begin");
  for (const record of page.items) save(list, record);
  // What a walk of all records did not find was deleted.
  if (!walk && !since) rows("delete from records where walk < ?", state.walkedAt);
  keep(walk ? { walk } : { walk, since: next });
  db.exec("commit");
}

await subscribe();
const server = createServer(async (request, response) => {
  const event = await text(request).catch(() => "");
  const sign = (value: string) => createHmac("sha256", state.secret).update(value).digest();
  const given = sign(`${request.headers["x-webhook-signature"]}`);
  const isValid = timingSafeEqual(sign(`sha256=${sign(event).toString("hex")}`), given);
  if (isValid) rows("replace into queue values (json_extract(?1, '$.id'), ?1)", event);
  response.writeHead(isValid ? 204 : 401).end();
});
if (MODE === "push") server.listen(Number(PORT), "127.0.0.1");
for (;;) {
  const now = state.walk ? 0 : Date.now();
  const isPollDue = MODE === "poll" && now > Date.parse(state.since) + MARGIN + POLL_EVERY;
  if (now > state.walkedAt + WALK_EVERY) keep({ walkedAt: now, walk: { list: "products" } });
  else if (isPollDue) keep({ walk: { list: "products", since: state.since } });
  const receive = `mutation ($shopId: ID!, $id: ID!, $wait: Int!) { received:
    receiveEvents(shopId: $shopId, endpointId: $id, limit: 100, leaseSeconds: 60, waitSeconds: $wait) { id event } }`;
  const acknowledge = `mutation ($shopId: ID!, $id: ID!, $ids: [ID!]!) {
    acknowledgeEvents(shopId: $shopId, endpointId: $id, ids: $ids) { changed } }`;
  const pull = async () => (await ask(receive, { id: state.id, wait: state.walk ? 0 : 20 })).received;
  const events = MODE === "pull" ? await pull() : rows("select id, event from queue limit 100");
  for (const { event } of events) {
    const { topic, data } = JSON.parse(event);
    const [list, id] = [topic.replace(/\..*/, "s"), data.productId ?? data.orderId ?? data.customerId];
    const known = rows("select 1 from records where id = ? and version >= ?", id, data.version ?? 1);
    if (!(list in lists) || known.length > 0) continue;
    const field = `${list.slice(0, -1)}(id: $id) { ${lists[list]} }`;
    const { record } = await ask(`query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { record: ${field} } }`, { id });
    if (record) save(list, record);
    else rows("delete from records where id = ?", id);
  }
  const ids = events.map(({ id }: any) => id);
  if (MODE === "pull" && ids.length > 0) await ask(acknowledge, { id: state.id, ids });
  else for (const id of ids) rows("delete from queue where id = ?", id);
  if (state.walk) await readPage(state.walk);
  else if (ids.length === 0) await setTimeout(200);
}
