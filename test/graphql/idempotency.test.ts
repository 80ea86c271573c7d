import { expect } from "chai";
import { createSchema } from "../../src/core/schema.ts";
import { operator } from "../../src/core/access/actor.ts";
import { createServiceToken } from "../../src/core/credentials/service-tokens/service-tokens.ts";
import { Permission } from "../../src/core/model/permissions.ts";
import { buildCustomer, buildStaff, grantStoreCredit } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { readShopRows } from "../support/postgres/shop-rows.ts";
import { fieldsOf } from "../support/requests/schema-calls.ts";
import { useServer } from "../support/server.ts";
import { CREATE, useTill, type Till } from "../support/shops/till.ts";

type Sent = { input: object } & Record<string, unknown>;

async function place(till: Till, payments: object[] = []): Promise<string> {
  return (await till.must(CREATE, till.sale({ payments }))).id;
}

async function buildCreditor({ server, shop }: Till): Promise<string> {
  const customer = await buildCustomer(server.em, shop);
  await grantStoreCredit(server.em, customer, "9.00");
  return customer.id;
}

/** What each mutation is sent, and a change that makes it another request. */
const mutations: Record<string, [sent: (till: Till) => Sent | Promise<Sent>, change: object]> = {
  createProduct: [() => ({ input: { title: "Mug", variants: [{ price: "1" }] } }), { title: "Cup" }],
  createCustomer: [() => ({ input: { email: "ada@example.com" } }), { email: "bea@example.com" }],
  createOrder: [(till) => till.sale(), { notes: "Other" }],
  recordPayment: [
    async (till) => ({ orderId: await place(till), input: { method: "CASH", tendered: "50" } }),
    { tendered: "24" },
  ],
  refundOrder: [
    async (till) => ({ id: await place(till, [{ method: "CARD", amount: "20" }]), input: { amount: "1" } }),
    { amount: "2" },
  ],
  grantStoreCredit: [
    async (till) => ({ customerId: await buildCreditor(till), input: { amount: "5", reason: "Gift" } }),
    { reason: "Other" },
  ],
  spendStoreCredit: [
    async (till) => ({ customerId: await buildCreditor(till), input: { amount: "5", reason: "Tea" } }),
    { amount: "4" },
  ],
  eraseCustomer: [
    async (till) => ({ id: await buildCreditor(till), input: { forfeitStoreCredit: "9" } }),
    { includeNotes: true },
  ],
  createPullEndpoint: [() => ({ input: { topics: ["order.paid"] } }), { topics: ["order.created"] }],
};
/** Tested beside the other behavior of endpoints and replays. */
const others = ["createWebhookEndpoint", "replayDelivery", "replayFailedDeliveries"];

describe("Idempotency keys through GraphQL", () => {
  const server = useServer();
  const till = useTill(server);
  const key = "till/0042";

  async function sellAs(headers: Record<string, string>): Promise<string> {
    const variables = { shopId: till.shop.id, ...till.sale(), idempotencyKey: key };
    const { data, errors } = await askGraphql(server, CREATE, variables, headers);
    expect(errors).to.deep.equal([]);
    return data.order.id;
  }

  async function makeToken(): Promise<Record<string, string>> {
    const request = { name: "Till", permissions: [Permission.READ_ORDERS, Permission.WRITE_ORDERS] };
    const { secret } = await createServiceToken({ em: server.em, shop: till.shop, actor: operator }, request);
    return { authorization: `Bearer ${secret}` };
  }

  it("are tested with each mutation that takes one", () => {
    const known = fieldsOf(createSchema(), "Mutation").filter(({ args }) =>
      args.some(({ name }) => name === "idempotencyKey"),
    );
    expect([...Object.keys(mutations), ...others]).to.have.members(known.map(({ name }) => name));
  });

  for (const [mutation, [sent, change]] of Object.entries(mutations)) {
    it(`let ${mutation} happen once, also with concurrent requests`, async () => {
      const variables = { ...(await sent(till)), idempotencyKey: key };
      for (const idempotencyKey of ["", "a".repeat(256), "a\0", "\udc00"]) {
        const [code, ...issues] = await till.refusal(mutation, { ...variables, idempotencyKey });
        expect([code, issues[0]!.split(":")[0]]).to.deep.equal(["VALIDATION_FAILED", "idempotencyKey"]);
      }
      const answers = await Promise.all([1, 2, 3, 4].map(() => till.run(mutation, variables)));
      const rows = await readShopRows(server, till.shop);
      for (const again of [...answers, await till.run(mutation, variables)]) expect(again).to.deep.equal(answers[0]);
      const other = { ...variables, input: { ...variables.input, ...change } };
      expect(await till.refusal(mutation, other)).to.deep.equal(["VALIDATION_FAILED", ": idempotency_key_reused"]);
      expect(await readShopRows(server, till.shop)).to.deep.equal(rows);
    });
  }

  it("belong to one mutation of one record", async () => {
    const [customerId, another] = [await buildCreditor(till), await buildCreditor(till)];
    const given = { input: { amount: "5", reason: "Gift" }, idempotencyKey: key };
    await till.run("grantStoreCredit", { ...given, customerId });
    const reused = ["VALIDATION_FAILED", ": idempotency_key_reused"];
    expect(await till.refusal("grantStoreCredit", { ...given, customerId: another })).to.deep.equal(reused);
    expect(await till.refusal("spendStoreCredit", { ...given, customerId })).to.deep.equal(reused);
  });

  it("belong to their caller: two tills with the same key sell separately", async () => {
    const colleague = await logIn(server, await buildStaff(server.em, till.shop));
    const callers = [await till.session(), colleague, await makeToken(), await makeToken()];
    const first = await Promise.all(callers.map(sellAs));
    expect(new Set(first)).to.have.length(4);
    expect(await till.stockOf(till.mug)).to.equal(2);
    expect(await Promise.all(callers.map(sellAs))).to.deep.equal(first);
    expect(await till.stockOf(till.mug)).to.equal(2);
  });

  it("belong to a staff member, in all of their sessions", async () => {
    const staff = await buildStaff(server.em, till.shop);
    const first = await sellAs(await logIn(server, staff));
    expect(await sellAs(await logIn(server, staff))).to.equal(first);
  });

  it("report replayed results by their response paths", async () => {
    const sell = "createOrder(shopId: $shopId, input: $input, idempotencyKey:";
    const document = `mutation ($shopId: ID!, $input: CreateOrderInput!) {
      ${sell} "a") { id } again: ${sell} "a") { id } other: ${sell} "b") { id }
    }`;
    const first = await till.ask(document, till.sale());
    expect(first.extensions.idempotentReplays).to.deep.equal([["again"]]);
    const second = await till.ask(document, till.sale());
    expect(second.data).to.deep.equal(first.data);
    expect(second.extensions.idempotentReplays).to.deep.equal([["createOrder"], ["again"], ["other"]]);
  });

  it("report replayed items of a bulk operation", async () => {
    const document = `mutation ($shopId: ID!, $changes: [AdjustStockInput!]!) {
      adjusted: adjustStock(shopId: $shopId, changes: $changes) { change { id } }
    }`;
    const change = { variantId: till.mug.id, delta: 1, reason: "RECEIVED" };
    const adjust = (...keys: string[]) =>
      till.ask(document, { changes: keys.map((idempotencyKey) => ({ ...change, idempotencyKey })) });
    expect((await adjust("a")).extensions).not.to.have.property("idempotentReplays");
    expect((await adjust("b", "a", "b")).extensions.idempotentReplays).to.deep.equal([
      ["adjusted", 1],
      ["adjusted", 2],
    ]);
  });
});
