import { expect } from "chai";
import { query } from "../../support/database.ts";
import { buildStaff } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { CREATE, PAY, REFUND, useTill } from "../../support/shops/till.ts";

const NAMES = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) {
  order(id: $id) { payments { actorName } refunds { actorName } }
  stockChanges { items { reason actorName } }
} }`;

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
    const service = await till.asService("READ_ORDERS", "WRITE_ORDERS");
    expect((await service.ask(PAY, { id, input: pay })).errors).to.deep.equal([]);
    await till.must(REFUND, { id, input: { amount: "0.50" } });
    await till.call("POST", "/products", { body: { title: "Cup", price: 1, inventoryQuantity: 3 } });
    const clerk = { ...till.staff };
    const expected = { payments: [clerk.email, "ERP"], refunds: [clerk.email], initial: "Test key" };
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
