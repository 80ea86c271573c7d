import { expect } from "chai";
import { call } from "../../support/client.ts";
import { query } from "../../support/database.ts";
import { buildKey, buildStaff } from "../../support/factories.ts";
import { askGraphql } from "../../support/graphql.ts";
import { useServer } from "../../support/server.ts";
import { CREATE, PAY, REFUND, useTill } from "../../support/shops/till.ts";

const NAMES = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) {
  order(id: $id) { payments { actorName } refunds { actorName } }
  stockChanges { items { reason actorName } }
} }`;
const CREATE_TOKEN = `mutation ($shopId: ID!) {
  createServiceToken(shopId: $shopId, input: { name: "Storefront", permissions: [READ_ORDERS, WRITE_ORDERS] }) { secret }
}`;

describe("Actor names of payments, refunds and stock changes", () => {
  const server = useServer();
  const till = useTill(server);

  const pay = { method: "CASH", amount: "1" };
  const names = async (id: string) => {
    const { data, errors } = await till.ask(NAMES, { id });
    expect(errors).to.deep.equal([]);
    const { order, stockChanges } = data.shop;
    const namesOf = (list: { actorName: string | null }[]) => list.map(({ actorName }) => actorName);
    const key = stockChanges.items.find(({ reason }: { reason: string }) => reason === "INITIAL");
    return { payments: namesOf(order.payments), refunds: namesOf(order.refunds), initial: key?.actorName };
  };

  it("are those of staff, services and API keys, also of former members", async () => {
    const { id } = await till.must(CREATE, till.sale());
    await till.must(PAY, { id, input: pay });
    const { secret } = (await till.ask(CREATE_TOKEN, {})).data.createServiceToken;
    const bearer = { authorization: `Bearer ${secret}` };
    const paid = await askGraphql(server, PAY, { shopId: till.shop.id, id, input: pay }, bearer);
    expect(paid.errors).to.deep.equal([]);
    await till.must(REFUND, { id, input: { amount: "0.50" } });
    const key = await buildKey(server.em, till.shop, ["write_products"]);
    const body = { title: "Cup", price: 1, inventoryQuantity: 3 };
    expect((await call(server, "POST", `/${till.shop.id}/products`, { key, body })).status).to.equal(201);
    const clerk = { ...till.staff };
    const expected = { payments: [clerk.email, "Storefront"], refunds: [clerk.email], initial: "Test key" };
    expect(await names(id)).to.deep.equal(expected);

    till.become(await buildStaff(server.em, till.shop));
    await query(server.databaseUrl, "delete from memberships where staff_id = $1", [clerk.id]);
    expect(await names(id)).to.deep.equal(expected);
  });

  it("are null without an actor", async () => {
    const { id } = await till.must(CREATE, till.sale());
    await till.must(PAY, { id, input: pay });
    await query(server.databaseUrl, "update payments set actor_id = null where order_id = $1", [id]);
    expect((await names(id)).payments).to.deep.equal([null]);
  });
});
