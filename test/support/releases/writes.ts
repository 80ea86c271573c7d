import { expect } from "chai";
import { call } from "../client.ts";
import { askGraphql, documentOf, logIn } from "../graphql.ts";
import type { TestServer } from "../server.ts";
import { ANSWERED_ONCE } from "../shops/full-shop.ts";
import type { Fixture } from "./fixtures.ts";

const name = "Renamed";

type Write = [mutation: string, variables: Record<string, unknown>];

/** Changes to the fixture's own records, and records that refer to them. */
function writesOf({ answers, data }: Fixture): Write[] {
  // oxlint-disable-next-line typescript/no-explicit-any -- of every field of a shop
  const shop: any = Object.assign({}, ...Object.values(data).map((each) => (each as { shop: object }).shop));
  const { products } = JSON.parse(answers["products?limit=250"]!);
  const product = products.find(({ status, variants }: { status: string; variants: unknown[] }) => {
    return status === "ACTIVE" && variants.length > 1;
  });
  const [customer] = shop.customers.items;
  const [order] = shop.orders.items;
  const [endpoint] = shop.webhookEndpoints;
  const variantId = product.variants[0].id;
  const credit = { amount: "5", reason: name };
  const lines = [{ variantId, quantity: 1 }];
  const clerk = shop.members.find(({ role }: { role: string }) => role === "CLERK");
  return [
    ["updateShop", { input: { name } }],
    ["updateProduct", { id: product.id, input: { title: name } }],
    ["createVariant", { productId: product.id, input: { optionValues: [name], price: "1" } }],
    ["updateVariant", { id: variantId, input: { sku: name } }],
    ["setStock", { changes: [{ variantId, quantity: 7 }] }],
    ["updateCustomer", { id: customer.id, input: { firstName: name } }],
    ["grantStoreCredit", { customerId: customer.id, input: credit }],
    ["spendStoreCredit", { customerId: customer.id, input: credit }],
    ["updateOrder", { id: order.id, input: { notes: name } }],
    ["recordPayment", { orderId: order.id, input: { method: "CARD", amount: "1", allowOverpayment: true } }],
    ["createOrder", { input: { channel: "POS", customerId: customer.id, lines } }],
    ["updateApiKey", { id: shop.apiKeys.items[0].id, input: { name } }],
    ["updateServiceToken", { id: shop.serviceTokens.items[0].id, input: { name } }],
    ["updateWebhookEndpoint", { id: endpoint.id, input: { description: name } }],
    ["rotateWebhookSecret", { id: endpoint.id, input: {} }],
    ["sendTestEvent", { id: endpoint.id }],
    ["replayDelivery", { id: shop.webhookDeliveries.items[0].id }],
    ["revokeInvitation", { id: shop.invitations[0].id }],
    ["changeMemberRole", { staffId: clerk.id, role: "MANAGER" }],
    ["updateNotificationSettings", { settings: [{ kind: "TRIAL_ENDING", enabled: false }] }],
  ];
}

/**
 * Changes a record of each kind in GraphQL, and creates one in REST, as clients of the fixture's shop. An older server is
 * of the fixture's release.
 */
export async function writeEachKind(
  server: Pick<TestServer, "url">,
  fixture: Fixture,
  { isOlder = false } = {},
): Promise<void> {
  const { shopId, key } = fixture;
  const create = (idempotencyKey: string) =>
    call(server, "POST", `/${shopId}/products`, {
      key,
      headers: { "idempotency-key": idempotencyKey },
      body: ANSWERED_ONCE,
    });
  expect((await create("once")).headers.get("idempotent-replayed")).to.equal("true");
  const created = await create("after the upgrade");
  expect([created.status, created.headers.get("idempotent-replayed")], created.text).to.deep.equal([201, null]);
  const session = await logIn(server, fixture.owner);
  for (const [mutation, given] of writesOf(fixture)) {
    const variables = { shopId, ...given };
    const document = documentOf(mutation, isOlder ? Object.keys(variables) : undefined);
    const { errors } = await askGraphql(server, document, variables, session);
    expect(errors, mutation).to.deep.equal([]);
  }
}
