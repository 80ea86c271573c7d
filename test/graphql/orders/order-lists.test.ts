import { expect } from "chai";
import {
  Channel,
  FulfillmentStatus,
  OrderStatus,
  OrderPaymentStatus,
} from "../../../src/core/model/orders/order.enums.ts";
import { buildCustomer, buildOrder, buildShop } from "../../support/factories.ts";
import { documentOf } from "../../support/graphql.ts";
import { useServer } from "../../support/server.ts";
import { World } from "../../support/world.ts";

const LIST = documentOf("orders");

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

describe("Order lists", () => {
  const world = new World(useServer());
  const { server, shop } = world;
  let customerId: string;

  before(async () => {
    await world.open();
    const customer = await buildCustomer(server.em, shop);
    customerId = customer.id;
    const rows = [
      { orderNumber: "1", totalAmount: "5.00", createdAt: day(1), updatedAt: day(9), customer },
      { orderNumber: "2", totalAmount: "5.00", createdAt: day(2), updatedAt: day(2), channel: Channel.STOREFRONT },
      { orderNumber: "3", totalAmount: "40.00", createdAt: day(3), updatedAt: day(3), receiptNumber: "R-7" },
      { orderNumber: "4", totalAmount: "30.00", createdAt: day(3), updatedAt: day(3), status: OrderStatus.CANCELLED },
      { orderNumber: "5", totalAmount: "100.00", createdAt: day(3), updatedAt: day(8), customer },
      {
        orderNumber: "6",
        totalAmount: "9.00",
        createdAt: day(4),
        updatedAt: day(7),
        paymentStatus: OrderPaymentStatus.UNPAID,
      },
      {
        orderNumber: "7",
        totalAmount: "1.00",
        createdAt: day(5),
        updatedAt: day(5),
        fulfillmentStatus: FulfillmentStatus.UNFULFILLED,
      },
    ];
    for (const row of rows) await buildOrder(server.em, shop, row);
    await buildOrder(server.em, await buildShop(server.em));
  });

  async function list(variables: Record<string, unknown> = {}) {
    const { data, errors } = await world.ask(LIST, variables);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    const { items, ...page } = data.shop.orders;
    return { numbers: items.map((item: { orderNumber: string }) => item.orderNumber).join(""), ...page };
  }

  it("are sorted newest first, with the total", async () => {
    expect(await list()).to.deep.equal({ numbers: "7654321", total: 7, nextCursor: null });
  });

  for (const [sort, ascending] of [
    ["CREATED_AT", "1234567"],
    ["UPDATED_AT", "2347651"],
    ["TOTAL_AMOUNT", "7126435"],
  ] as const) {
    for (const order of ["ASC", "DESC"]) {
      it(`sort by ${sort} ${order}, by page and by cursor alike`, async () => {
        const all = (await list({ sort, order })).numbers;
        const expected = order === "ASC" ? ascending : [...ascending].toReversed().join("");
        expect([...all].toSorted()).to.deep.equal([..."1234567"]);
        // Orders that tie are sorted by their ids, which are made in the order of their numbers.
        expect(all).to.equal(expected);
        let byPage = "";
        for (const page of [1, 2, 3, 4]) byPage += (await list({ sort, order, page, limit: 2 })).numbers;
        expect(byPage).to.equal(all);
        let byCursor = "";
        let after: string | null = null;
        do {
          const found = await list({ sort, order, after, limit: 2 });
          expect(found.total).to.equal(7);
          byCursor += found.numbers;
          after = found.nextCursor;
        } while (after !== null);
        expect(byCursor).to.equal(all);
      });
    }
  }

  it("apply each filter to rows and total", async () => {
    for (const [filter, numbers] of [
      [{ status: "CANCELLED" }, "4"],
      [{ paymentStatus: "UNPAID" }, "6"],
      [{ fulfillmentStatus: "UNFULFILLED" }, "7"],
      [{ channel: "STOREFRONT" }, "2"],
      [{ customerId }, "51"],
      [{ customerId: "nonsense" }, ""],
      [{ orderNumber: "5" }, "5"],
      [{ receiptNumber: "R-7" }, "3"],
      [{ createdSince: day(3).toISOString(), createdBefore: day(4).toISOString() }, "543"],
      [{ updatedSince: day(7).toISOString() }, "651"],
      [{ customerId, updatedSince: day(9).toISOString(), status: "CONFIRMED" }, "1"],
    ] as const) {
      const found = await list(filter);
      expect(found, JSON.stringify(filter)).to.include({ numbers, total: numbers.length });
    }
  });
});
