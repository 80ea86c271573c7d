import { expect } from "chai";
import { getNamedType, isLeafType, isObjectType, isRequiredArgument, type GraphQLObjectType } from "graphql";
import { Refund, RefundItem, RefundPayment } from "../../src/core/model/orders/payment.entity.ts";
import { createSchema } from "../../src/core/schema.ts";
import type { CurrentShop } from "../../src/core/model/shops/current-shop.ts";
import { newId } from "../../src/core/model/ids.ts";
import { buildCustomer, buildOrder, grantStoreCredit, importProduct } from "../support/factories.ts";
import { useServer } from "../support/server.ts";
import { useStatementLog } from "../support/postgres/statements.ts";
import { openWorld, type World } from "../support/world.ts";

const FEW = 3;
const MANY = 45;

const shopType = createSchema().getType("Shop") as GraphQLObjectType;

/** A selection of every field without arguments, down to repeated types. */
function everything(type: GraphQLObjectType, above: readonly string[] = []): string {
  const path = [...above, type.name];
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (field.args.some(isRequiredArgument) || path.includes(inner.name)) return [];
    if (isLeafType(inner)) return [field.name];
    return isObjectType(inner) ? [`${field.name} ${everything(inner, path)}`] : [];
  });
  return `{ ${fields.join(" ")} }`;
}

describe("Statements of a list", () => {
  const server = useServer();
  const log = useStatementLog();

  const rows: Record<string, (shop: CurrentShop) => Promise<unknown>> = {
    products: async (shop) => importProduct(server.em, shop, { variants: [{}, {}] }),
    customers: async (shop) => {
      const customer = await buildCustomer(server.em, shop);
      await grantStoreCredit(server.em, customer, "5");
      await grantStoreCredit(server.em, customer, "-1");
      await buildOrder(server.em, shop, { customer });
    },
    orders: async (shop) => {
      const customer = await buildCustomer(server.em, shop);
      const order = await buildOrder(server.em, shop, { customer, items: [{}, {}], payments: [{}, {}] });
      await addRefund(shop, order);
    },
  };

  async function addRefund(shop: CurrentShop, order: Awaited<ReturnType<typeof buildOrder>>): Promise<void> {
    const writer = server.em.fork();
    const refund = { shopId: shop.id, refundId: newId("ref") };
    await writer.insert(Refund, {
      shopId: shop.id,
      id: refund.refundId,
      order: [shop.id, order.id],
      amount: "1",
      taxAmount: "0",
      currency: shop.currency,
      createdAt: order.createdAt,
    });
    await writer.insert(RefundPayment, { ...refund, paymentId: order.payments[0]!.id, amount: "1" });
    await writer.insert(RefundItem, {
      ...refund,
      itemId: order.items[0]!.id,
      quantity: 1,
      taxAmount: "0",
      restocked: true,
    });
  }

  async function ask(world: World, selection: string) {
    await world.session();
    return log.during(() => world.ask(`query ($shopId: ID!) { shop(id: $shopId) { ${selection} } }`));
  }

  for (const [name, add] of Object.entries(rows)) {
    it(`are as many for ${MANY} ${name} as for ${FEW}, whatever is selected`, async () => {
      const page = getNamedType(shopType.getFields()[name]!.type) as GraphQLObjectType;
      const selection = `${name}(limit: ${MANY}) ${everything(page, ["Shop"])}`;
      const asked: string[][] = [];
      for (const count of [FEW, MANY]) {
        const world = await openWorld(server);
        await Promise.all(Array.from({ length: count }, () => add(world.shop)));
        const { statements, result: answer } = await ask(world, selection);
        expect(answer.errors).to.deep.equal([]);
        expect(answer.data.shop[name].items).to.have.length(count);
        asked.push(statements.toSorted());
      }
      expect(asked[1]).to.deep.equal(asked[0]);
      expect(asked[0]!.filter((statement) => statement.includes(`from "${name}"`))).not.to.deep.equal([]);
    });
  }

  // Otherwise the test above could not fail.
  it("are more when each record is selected separately", async () => {
    const world = await openWorld(server);
    const { id } = await buildCustomer(server.em, world.shop);
    const counts = [];
    for (const count of [1, 10]) {
      const fields = Array.from({ length: count }, (_, index) => `f${index}: customer(id: "${id}") { id }`);
      counts.push((await ask(world, fields.join(" "))).statements.length);
    }
    expect(counts[1]! - counts[0]!).to.equal(9);
  });
});
