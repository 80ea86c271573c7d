import { expect } from "chai";
import { operator } from "../../src/core/access/actor.ts";
import { createServiceToken } from "../../src/core/credentials/service-tokens/service-tokens.ts";
import { Permission } from "../../src/core/model/permissions.ts";
import { buildStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { useServer } from "../support/server.ts";
import { CREATE, useTill } from "../support/shops/till.ts";

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
