import { createHmac, randomBytes } from "node:crypto";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { listMovedTables } from "../../../src/core/moves/moved-tables.ts";
import { kysely } from "../../../src/core/queries/database.ts";
import { codesOf, openBrowser } from "../../support/browser/browser.ts";
import { call } from "../../support/client.ts";
import { query } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { buildFullShop, ANSWERED_ONCE, PENDING_NOTICE, type FullShop } from "../../support/shops/full-shop.ts";
import { askGraphql, logIn } from "../../support/graphql.ts";
import { closeLongAgo, exportText, importText } from "../../support/shops/moves.ts";
import { useReceiver } from "../../support/webhooks/receiver.ts";
import { codeOf } from "../../support/staff/second-factor.ts";
import { useServer, type TestServer } from "../../support/server.ts";
import { readShopRows, type ShopRows } from "../../support/postgres/shop-rows.ts";

const SELL = `mutation ($shopId: ID!, $lines: [OrderLineInput!]!) {
  createOrder(shopId: $shopId, input: { channel: POS, lines: $lines }) { orderNumber }
}`;

describe("A moved shop", () => {
  const config = { encryptionKeys: [{ name: "test", key: randomBytes(32) }] };
  const source = useServer({ config });
  const target = useServer({ config });
  const receiver = useReceiver();
  let full: FullShop;
  let other: FullShop;
  let file: string;
  /** Rows at the source, and at the target right after the import. */
  let stored: ShopRows;
  let moved: ShopRows;

  /** Responses to a request with the key, byte for byte. */
  const readLists = (server: TestServer) =>
    Promise.all(
      ["products?limit=250", "products?search=mug", "orders?limit=250", "customers?limit=250"].map(async (path) => {
        const { status, text } = await call(server, "GET", `/${full.shop.id}/${path}`, { key: full.key });
        return { status, text };
      }),
    );
  const readAccounts = async (server: TestServer) => {
    const members = "select staff_id from memberships where shop_id = $1";
    const statements = [
      `select * from staff where id in (${members}) order by id`,
      `select * from second_factors where staff_id in (${members})`,
      `select * from recovery_codes where staff_id in (${members}) order by code_digest`,
    ];
    return Promise.all(statements.map((text) => query(server.databaseUrl, text, [full.shop.id])));
  };
  const countRecords = (server: TestServer) =>
    query(
      server.databaseUrl,
      `select resource, status, sum(count) as count from record_counts where shop_id = $1
      group by resource, status having sum(count) <> 0 order by resource, status`,
      [full.shop.id],
    );

  let lists: Awaited<ReturnType<typeof readLists>>;

  before("move it", async () => {
    // The request log is written when the server stops.
    const api = await source.app.startApi();
    const server = { ...source, url: `http://127.0.0.1:${api.port}` };
    full = await buildFullShop(server, receiver.url);
    other = await buildFullShop(server, receiver.url);
    lists = await readLists(server);
    await api.stop();
    await closeLongAgo(source, full.shop);
    const { products = [], customers = [] } = await readShopRows(source, full.shop);
    // The file of another release, which has other rules for them.
    for (const table of ["products", "customers"]) {
      await query(source.databaseUrl, `update ${table} set search_words = 'old' where shop_id = $1`, [full.shop.id]);
    }
    file = await exportText(source, full.shop);
    stored = { ...(await readShopRows(source, full.shop)), products, customers };
    expect(await importText(target, file)).to.equal(full.shop.id);
    moved = await readShopRows(target, full.shop);
  });

  it("has every row of every table", async () => {
    const { jobs: _, record_counts: __, shops, audit_entries: log = [], ...rest } = stored;
    const { jobs: ___, record_counts: ____, shops: movedShops, audit_entries: movedLog = [], ...movedRest } = moved;
    expect(movedRest).to.deep.equal(rest);
    expect(movedShops).to.deep.equal([{ ...shops![0], closed_at: null }]);
    const known = new Set(log.map(({ id }) => id));
    expect(movedLog.filter(({ id }) => known.has(id))).to.deep.equal(log);
    const news = movedLog.filter(({ id }) => !known.has(id));
    expect(news.map(({ action, actor_kind: kind }) => [action, kind])).to.deep.equal([["SHOP_IMPORTED", "OPERATOR"]]);
    expect(await readAccounts(target)).to.deep.equal(await readAccounts(source));
    expect(await countRecords(target)).to.deep.equal(await countRecords(source));
  });

  it("has jobs for its pending deliveries and notices", () => {
    const { id: shopId } = full.shop;
    expect(moved.jobs!.map(({ payload }) => payload)).to.have.deep.members([
      { shopId, endpointId: full.endpointId },
      { shopId, kind: PENDING_NOTICE },
    ]);
  });

  // Otherwise the test above could miss a table.
  it("has rows in every table that moves", async () => {
    const filled = new Set(file.split("\n").map((line) => /^\{"(\w+)":/.exec(line)?.[1]));
    for (const { name } of await listMovedTables(kysely(source.em))) expect([...filled]).to.include(name);
  });

  it("has no rows of another shop", () => {
    for (const text of [other.shop.id, other.endpointId, other.owner.id, other.owner.email]) {
      expect(file).not.to.include(text);
    }
  });

  it("returns the same lists for the same key, byte for byte", async () => {
    for (const { status } of lists) expect(status).to.equal(200);
    expect(await readLists(target)).to.deep.equal(lists);
  });

  it("returns the same search results", async () => {
    const text = `query ($shopId: ID!) { shop(id: $shopId) {
      products(search: "WEISS") { items { title } }
      customers(search: "jose 030/1234567") { items { firstName } }
    } }`;
    const session = await logIn(target, full.owner);
    const { data } = await askGraphql(target, text, { shopId: full.shop.id }, session);
    expect(data.shop).to.deep.equal({
      products: { items: [{ title: "Weiß" }] },
      customers: { items: [{ firstName: "José" }] },
    });
  });

  it("replays a response from before the move", async () => {
    const headers = { "idempotency-key": "once" };
    const request = { key: full.key, headers, body: ANSWERED_ONCE };
    const again = await call(target, "POST", `/${full.shop.id}/products`, request);
    expect([again.status, again.headers.get("idempotent-replayed")]).to.deep.equal([201, "true"]);
  });

  it("continues its order numbers", async () => {
    const numbers = (stored.orders as { order_number: string }[]).map((order) => Number(order.order_number));
    const session = await logIn(target, full.owner);
    const variables = { shopId: full.shop.id, lines: [{ variantId: full.variantId, quantity: 1 }] };
    const { data, errors } = await askGraphql(target, SELL, variables, session);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    expect(data.createOrder.orderNumber).to.equal(String(Math.max(...numbers) + 1));
  });

  it("accepts the two-factor codes of its staff", async () => {
    const { secret, recoveryCodes } = full.factor;
    for (const code of [codeOf(secret), recoveryCodes[0]!]) {
      expect(codesOf(await openBrowser(target).logIn({ ...full.clerk, code }))).to.deep.equal([]);
    }
  });

  it("keeps the leases of fetched events, and delivers waiting ones", async () => {
    const text = `mutation ($shopId: ID!, $endpointId: ID!) {
      receiveEvents(shopId: $shopId, endpointId: $endpointId) { event attempts }
    }`;
    const session = await logIn(target, full.owner);
    const variables = { shopId: full.shop.id, endpointId: full.pullEndpointId };
    const { data } = await askGraphql(target, text, variables, session);
    // The order of an earlier test changed the stock too.
    expect(data.receiveEvents.map(({ attempts }: { attempts: number }) => attempts)).to.deep.equal([1, 1]);
  });

  it("sends pending deliveries with the same ID, signed with the same secret", async () => {
    expect(receiver.received).to.deep.equal([]);
    const rows = (stored.outstanding_deliveries ?? []).filter((row) => row.endpoint_id === full.endpointId);
    const outstanding = rows.map((row) => row.event_id as string);
    const worker = await target.app.startWorker();
    const received = await eventually(
      () => receiver.received.filter(({ headers }) => outstanding.includes(headers["webhook-id"] as string)),
      (all) => all.length >= outstanding.length,
    ).finally(worker.stop);
    expect(received.map(({ headers }) => headers["webhook-id"])).to.have.members(outstanding);
    for (const { headers, body } of received) {
      new Webhook(full.secret).verify(body.toString(), headers as Record<string, string>);
      const digest = createHmac("sha256", full.secret).update(body).digest("hex");
      expect(headers).to.include({ "x-webhook-signature": `sha256=${digest}`, authorization: "Basic dXNlcg==" });
    }
  });
});
