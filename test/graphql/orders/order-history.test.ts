import { expect } from "chai";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { buildOrder, buildShop, buildStaff } from "../../support/factories.ts";
import { askGraphql, logIn } from "../../support/graphql.ts";
import { query } from "../../support/database.ts";
import { useServer } from "../../support/server.ts";
import { CANCEL, CREATE, PAY, REFUND, UPDATE, useTill } from "../../support/shops/till.ts";

const CHANGES = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { order(id: $id) {
  createdByName changes { action actorName createdAt details { name value } } } } }`;
const DAYS = `query ($shopId: ID!, $days: Int! = 2, $timeZone: String! = "UTC") {
  shop(id: $shopId) { dailyOrders(days: $days, timeZone: $timeZone) { day orders totalAmount refundedAmount } } }`;

describe("The history of orders", () => {
  const server = useServer();
  const till = useTill(server);

  it("names each change to an order and its author, also for a viewer", async () => {
    const { id, items } = await till.must(CREATE, till.sale());
    await till.must(CREATE, till.sale());
    await till.must(PAY, { id, input: { method: "CASH", amount: "23.80" } });
    await till.must(UPDATE, { id, input: { notes: "Ring twice" } });
    await till.must(REFUND, { id, input: { items: [{ itemId: items[0].id, quantity: 2, restock: true }] } });
    const viewer = await logIn(server, await buildStaff(server.em, till.shop, Role.VIEWER));
    const { data } = await askGraphql(server, CHANGES, { shopId: till.shop.id, id }, viewer);
    const { changes, createdByName } = data.shop.order;
    expect(changes.map(({ action }: { action: string }) => action)).to.deep.equal([
      "PAYMENT_RECORDED",
      "ORDER_UPDATED",
      "ORDER_REFUNDED",
    ]);
    expect(changes[0].actorName).to.match(/^staff-/);
    expect(createdByName).to.equal(changes[0].actorName);
    expect(changes[0].details).to.deep.include({ name: "amount", value: "23.80" });
  });

  describe("by day", () => {
    const at = (time: string) => buildOrder(server.em, till.shop, { totalAmount: "10.00", createdAt: new Date(time) });
    const days = async (variables: object) => (await till.ask(DAYS, { ...variables })).data.shop.dailyOrders;

    it("counts the orders of this shop that are not cancelled", async () => {
      const { id } = await till.must(CREATE, till.sale());
      await till.must(CREATE, till.sale());
      await till.must(CANCEL, { id, input: { restock: true } });
      await buildOrder(server.em, await buildShop(server.em), { createdAt: new Date() });
      const [yesterday, today] = await days({});
      expect(yesterday).to.include({ orders: 0, totalAmount: "0.00" });
      expect(today).to.include({ orders: 1, totalAmount: "23.80" });
      expect(Date.parse(today.day) - Date.parse(yesterday.day)).to.equal(86_400_000);
      expect(await days({ days: 31 })).to.have.length(31);
    });

    it("sums refunds on the day they were made", async () => {
      const { id, items } = await till.must(CREATE, till.sale());
      await till.must(PAY, { id, input: { method: "CASH", amount: "23.80" } });
      await till.sql("update orders set created_at = now() - interval '1 day' where shop_id = $1");
      await till.must(REFUND, { id, input: { items: [{ itemId: items[0].id, quantity: 2, restock: true }] } });
      const [yesterday, today] = await days({});
      expect(yesterday).to.include({ orders: 1, totalAmount: "23.80", refundedAmount: "0.00" });
      expect(today).to.include({ orders: 0, totalAmount: "0.00", refundedAmount: "23.80" });
    });

    it("begins days by the time zone", async () => {
      // Midnight in Auckland is one in the night in Honolulu.
      const [row] = await query<{ moment: Date }>(
        server.databaseUrl,
        "select ((now() at time zone 'Pacific/Auckland')::date::timestamp at time zone 'Pacific/Auckland') as moment",
      );
      await at(row!.moment.toISOString());
      await at(new Date(row!.moment.getTime() - 1).toISOString());
      const auckland = await days({ timeZone: "Pacific/Auckland" });
      expect(auckland.map(({ orders }: { orders: number }) => orders)).to.deep.equal([1, 1]);
      const honolulu = await days({ timeZone: "Pacific/Honolulu" });
      expect(honolulu.map(({ orders }: { orders: number }) => orders).toSorted()).to.deep.equal([0, 2]);
    });

    it("refuses other days and time zones", async () => {
      for (const wrong of [{ days: 0 }, { days: 32 }, { timeZone: "Moon/Crater" }, { timeZone: "+02:00" }]) {
        const { errors } = await till.ask(DAYS, wrong);
        expect(errors[0]!.extensions.code, JSON.stringify(wrong)).to.equal("VALIDATION_FAILED");
      }
    });
  });
});
