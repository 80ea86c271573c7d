import { expect } from "chai";
import { buildCustomer, buildOrder, buildShop } from "../../support/factories.ts";
import { documentOf } from "../../support/graphql.ts";
import { useServer } from "../../support/server.ts";
import { World } from "../../support/world.ts";

const SEARCH = documentOf("orders");

describe("The search for orders", () => {
  const world = new World(useServer());
  const { server, shop } = world;

  before(async () => {
    await world.open();
    const names = { firstName: "Grace", lastName: "Hopper", email: "grace@example.com" };
    const grace = await buildCustomer(server.em, shop, names);
    const ada = await buildCustomer(server.em, shop, { firstName: "Ada", lastName: "Lovelace" });
    await buildOrder(server.em, shop, { orderNumber: "1001", customer: grace });
    await buildOrder(server.em, shop, { orderNumber: "1002", receiptNumber: "R-000007" });
    await buildOrder(server.em, shop, { orderNumber: "1003", customer: ada });
    await buildOrder(server.em, shop, { orderNumber: "1004", customer: grace });
    const other = await buildShop(server.em);
    await buildOrder(server.em, other, { orderNumber: "1001", customer: await buildCustomer(server.em, other, names) });
  });

  const ask = (variables: Record<string, unknown>) => world.ask(SEARCH, variables);
  const find = async (search: string) => {
    const { total, items } = (await ask({ search })).data.shop.orders;
    expect(total).to.equal(items.length);
    return items.map(({ orderNumber }: { orderNumber: string }) => orderNumber).toSorted();
  };

  it("finds them by number, by receipt, and by the customer's name or email address", async () => {
    for (const [search, numbers] of [
      ["1001", ["1001"]],
      ["#1003", ["1003"]],
      ["r-000007", ["1002"]],
      ["hopper", ["1001", "1004"]],
      ["grace HOP", ["1001", "1004"]],
      ["grace@example.com", ["1001", "1004"]],
      ["lovelace", ["1003"]],
      ["grace lovelace", []],
      ["R 7", ["1002"]],
      ["r7", ["1002"]],
      ["01001", ["1001"]],
      ["Hopper, Grace <grace@example.com>", ["1001", "1004"]],
      ["%", ["1001", "1002", "1003", "1004"]],
      [" ", ["1001", "1002", "1003", "1004"]],
    ] as const) {
      expect(await find(search), search).to.deep.equal(numbers);
    }
  });

  it("shows the customer's name, and goes on with a cursor", async () => {
    const first = (await ask({ search: "grace", limit: 1 })).data.shop.orders;
    expect(first.items[0].customer).to.include({
      firstName: "Grace",
      lastName: "Hopper",
      email: "grace@example.com",
    });
    const next = (await ask({ search: "grace", limit: 1, after: first.nextCursor })).data.shop.orders;
    expect(next.items).to.have.length(1);
    expect(next.items[0].orderNumber).not.to.equal(first.items[0].orderNumber);
  });

  it("is refused when it is too long", async () => {
    const { errors } = await ask({ search: "a".repeat(201) });
    expect(errors[0]!.extensions).to.deep.include({ code: "VALIDATION_FAILED" });
  });
});
