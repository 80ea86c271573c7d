import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { updateWebhookEndpoint } from "../../../src/core/webhooks/endpoints/endpoints.ts";
import { DeliveryStatus } from "../../../src/core/model/webhooks/event.entity.ts";
import { topicNames } from "../../../src/core/model/webhooks/topics.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { fillShop } from "../../../src/core/sandboxes/sample/fill-shop.ts";
import { NotificationKind } from "../../../src/core/model/notifications/notification-kind.ts";
import { recordNotices } from "../../../src/core/notifications/record-notices.sql.ts";
import { call } from "../client.ts";
import { query } from "../database.ts";
import { buildAttempts, buildManyDeliveries } from "../webhooks/deliveries.ts";
import { eventually } from "../eventually.ts";
import {
  buildCustomer,
  buildEndpoint,
  buildKey,
  buildProduct,
  buildShop,
  buildStaff,
  grantStoreCredit,
  type TestStaff,
} from "../factories.ts";
import { askGraphql, logIn } from "../graphql.ts";
import { buildFactor, type TestFactor } from "../staff/second-factor.ts";
import type { TestServer } from "../server.ts";

/** A shop with rows in every table that moves with a shop. */
export interface FullShop {
  shop: Shop;
  owner: TestStaff;
  /** A clerk with two-factor authentication. */
  clerk: TestStaff;
  factor: TestFactor;
  session: { cookie: string };
  key: string;
  /** A variant with stock. */
  variantId: string;
  endpointId: string;
  /** A pull endpoint with a leased and a waiting event. */
  pullEndpointId: string;
  /** The signing secret of the endpoint. */
  secret: string;
}

/** The body of a request made with the idempotency key `once`. */
export const ANSWERED_ONCE = { title: "Only one", price: 3.5 };

/** The kind of a notice not sent yet. */
export const PENDING_NOTICE = NotificationKind.WEBHOOK_ENDPOINT_FAILING;

const SETTINGS = `mutation ($shopId: ID!) {
  createServiceToken(shopId: $shopId, input: { name: "Tool", permissions: [READ_PRODUCTS] }) { secret }
  inviteMember(shopId: $shopId, input: { email: "invited@example.com", role: CLERK }) { token }
}`;
const PULL = `mutation ($shopId: ID!) {
  createPullEndpoint(shopId: $shopId, input: { topics: ["product.updated"], description: "ERP" }) { id }
}`;
const LEASE = `mutation ($shopId: ID!, $endpointId: ID!) {
  receiveEvents(shopId: $shopId, endpointId: $endpointId, limit: 1, leaseSeconds: 3600) { id }
}`;
const SELL = `mutation ($shopId: ID!, $lines: [OrderLineInput!]!) {
  createOrder(shopId: $shopId, input: { channel: POS, lines: $lines, metadata: [{ key: "erp_id", value: "7" }], payments: [{ method: CASH, amount: "20.00", tendered: "50.00" }] }) { id items { id } }
}`;
const REFUND = `mutation ($shopId: ID!, $id: ID!, $items: [RefundUnitsInput!]!) {
  refundOrder(shopId: $shopId, id: $id, input: { items: $items }) { id }
}`;

/** Builds a shop with rows in every table. Without a worker, its events stay pending. */
export async function buildFullShop(server: TestServer, url: string): Promise<FullShop> {
  const { em } = server;
  const shop = await buildShop(em, { name: "Harbour & Goods" });
  await fillShop(em, shop, { products: 12, customers: 8, orders: 30 });
  const owner = await buildStaff(em, shop);
  const session = await logIn(server, owner);
  const clerk = await buildStaff(em, shop, Role.CLERK);
  const factor = await buildFactor(server, clerk);
  const key = await buildKey(em, shop);
  const { endpoint, secret } = await buildEndpoint(server, shop, url, [...topicNames]);
  const change = { headers: [{ name: "Authorization", value: "Basic dXNlcg==" }] };
  const services = { encryption: server.app.core.encryption, webhooksAllowLoopback: true };
  await updateWebhookEndpoint({ em, shop, actor: operator }, services, endpoint.id, change);
  const { variants } = await buildProduct(em, shop, { title: "Weiß", inventoryQuantity: 5 });
  await grantStoreCredit(em, await buildCustomer(em, shop, { firstName: "José", phone: "+49 30 1234567" }), "5.00");
  const [variant] = variants;
  const notice = { kind: PENDING_NOTICE, target: { id: endpoint.id, name: "receiver" } };
  await em.fork().transactional((transaction) => recordNotices(transaction, shop.id, [notice]));
  const people = { shop, owner, clerk, factor, session, key };
  const full = { ...people, variantId: variant!.id, endpointId: endpoint.id, pullEndpointId: "", secret };
  await trade(server, full);
  await makeRequests(server, full);
  return full;
}

async function trade(server: TestServer, full: FullShop): Promise<void> {
  const { shop, session, variantId } = full;
  const ask = async (document: string, variables = {}) => {
    const { data, errors } = await askGraphql(server, document, { shopId: shop.id, ...variables }, session);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    return data;
  };
  await ask(SETTINGS);
  full.pullEndpointId = (await ask(PULL)).createPullEndpoint.id;
  const { createOrder: order } = await ask(SELL, { lines: [{ variantId, quantity: 2 }] });
  await ask(REFUND, { id: order.id, items: [{ itemId: order.items[0].id, quantity: 1, restock: true }] });
  await ask(LEASE, { endpointId: full.pullEndpointId });
  await query(server.databaseUrl, "update webhook_endpoints set service_token_id = 'svc_ended' where id = $1", [
    full.pullEndpointId,
  ]);
}

/** Makes requests that leave stored answers and logged requests. */
async function makeRequests(server: TestServer, { shop, key, endpointId }: FullShop): Promise<void> {
  const { databaseUrl } = server;
  const headers = { "idempotency-key": "once" };
  await call(server, "POST", `/${shop.id}/products`, { key, headers, body: ANSWERED_ONCE });
  await eventually(
    () => query(databaseUrl, "select from api_requests where shop_id = $1", [shop.id]),
    (rows) => rows.length > 0,
  );
  const allow = "update api_keys set allowed_addresses = '{127.0.0.0/8,::1}' where shop_id = $1";
  await query(databaseUrl, allow, [shop.id]);
  await query(databaseUrl, "update products set description = E'By\\u2028hand' where shop_id = $1", [shop.id]);
  // More than one batch.
  await buildManyDeliveries(databaseUrl, { shopId: shop.id, id: endpointId }, 600, DeliveryStatus.SUCCEEDED);
  const [delivery] = await query<{ id: string }>(databaseUrl, "select id from deliveries where shop_id = $1", [
    shop.id,
  ]);
  await buildAttempts(databaseUrl, { shopId: shop.id, id: delivery!.id }, 2, new Date());
  await query(
    databaseUrl,
    `insert into deleted_webhook_endpoints (shop_id, id, url, deleted_at) values ($1, $2, 'https://gone.example/', now())`,
    [shop.id, newId("whe")],
  );
  await query(
    databaseUrl,
    `insert into hourly_attempts (shop_id, endpoint_id, hour, attempts, failures, durations)
    values ($1, $2, date_trunc('hour', now()), 2, 2, '{0,2}')`,
    [shop.id, endpointId],
  );
  await eventually(
    () => query(databaseUrl, "select from hourly_requests where shop_id = $1", [shop.id]),
    (rows) => rows.length > 0,
  );
  await query(
    databaseUrl,
    `update delivery_attempts set request_headers = '[["a", "1"],  ["a", "2"]]', total_ms = 0.1 where delivery_id = $1`,
    [delivery!.id],
  );
}
