import { expect } from "chai";
import { getNamedType, isLeafType, isObjectType, isRequiredArgument, type GraphQLOutputType } from "graphql";
import { Permission } from "../../src/core/model/permissions.ts";
import { createSchema } from "../../src/core/schema.ts";
import { call } from "../support/client.ts";
import { buildCustomer, buildKey, buildOrder, buildProduct, importProduct } from "../support/factories.ts";
import type { GraphqlAnswer } from "../support/graphql.ts";
import { callOf, fieldsOf } from "../support/requests/schema-calls.ts";
import { useWorld, type World } from "../support/world.ts";

/** Fields that the write permission is enough for, by type. */
const shown: Record<string, string[]> = {
  Product: ["id", "version"],
  Order: ["id", "version"],
  Customer: ["id", "version"],
  StockChange: ["id"],
  WebhookDelivery: ["id"],
  // A result is not a record.
  StockChangeResult: ["variantId"],
  DeleteProductResult: ["id", "deleted"],
  WebhookReplay: ["replayed", "remaining", "lastAt"],
  OperationError: ["code", "message", "hint"],
  OperationIssue: ["path", "code", "message"],
};

/** Each way from a mutation's answer to something that can be shown, as a selection. */
function waysTo(output: GraphQLOutputType): { selection: string; isShown: boolean }[] {
  const type = getNamedType(output);
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => {
    if (field.args.some(isRequiredArgument)) return [];
    if (isLeafType(getNamedType(field.type))) {
      return [{ selection: `{ ${field.name} }`, isShown: shown[type.name]?.includes(field.name) ?? false }];
    }
    return waysTo(field.type).map((way) => ({ ...way, selection: `{ ${field.name} ${way.selection} }` }));
  });
}

describe("The answer of a mutation", () => {
  const { server, shop, asService } = useWorld();

  const codesOf = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);

  const writes = [
    Permission.WRITE_PRODUCTS,
    Permission.WRITE_ORDERS,
    Permission.WRITE_CUSTOMERS,
    Permission.REPLAY_DELIVERIES,
  ];
  for (const write of writes) {
    it(`shows a service with only ${write} which record it is, and nothing else of it`, async () => {
      const { ask } = await asService(write);
      const mutations = fieldsOf(createSchema(), "Mutation").filter(
        // Imports also need the permission to read, but only an existing one shows which.
        ({ args, type }) => args.some(({ name }) => name === "shopId") && getNamedType(type).name !== "Import",
      );
      let checked = 0;
      for (const mutation of mutations) {
        const known = { shopId: JSON.stringify(shop.id) };
        const asked = callOf(mutation, known);
        if (codesOf(await ask(`mutation { ${asked} }`)).includes("FORBIDDEN")) continue;
        for (const { selection, isShown } of waysTo(mutation.type)) {
          const document = `mutation { ${asked.replace("{ __typename }", selection)} }`;
          const codes = codesOf(await ask(document));
          expect(codes.includes("FORBIDDEN"), document).to.equal(!isShown);
          checked += 1;
        }
      }
      expect(checked).to.be.greaterThan(10);
    });
  }

  it("is refused before anything is written, however the record is selected", async () => {
    const { id } = await buildOrder(server.em, shop);
    const update = async (selection: string, service: World) =>
      service.ask(
        `mutation ($shopId: ID!, $id: ID!) {
          order: updateOrder(shopId: $shopId, id: $id, input: { notes: "changed" }) { ...Id ${selection} } }
        fragment Id on Order { id version __typename }
        ${selection.includes("...Notes") ? "fragment Notes on Order { ...Id notes }" : ""}`,
        { id },
      );
    const writer = await asService(Permission.WRITE_ORDERS);
    for (const selection of [
      "notes",
      "...Notes",
      "... on Order { ...Notes }",
      "version notes @include(if: false)",
      "number: orderNumber",
      "customer { email }",
      "items { id }",
    ]) {
      const answer = await update(selection, writer);
      expect(codesOf(answer), selection).to.deep.equal(["FORBIDDEN"]);
      expect(answer.errors[0]).to.deep.include({
        message: "This requires the permission READ_ORDERS",
        path: ["order"],
      });
    }
    const reader = await asService(Permission.READ_ORDERS, Permission.WRITE_ORDERS);
    const read = "query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { order(id: $id) { notes version } } }";
    expect((await reader.ask(read, { id })).data.shop.order).to.deep.equal({ notes: null, version: 1 });
    const whole = { id, version: 2, __typename: "Order", notes: "changed" };
    expect((await update("...Notes", reader)).data.order).to.deep.equal(whole);
  });

  it("shows everything with the read permission of that record type, and not with another", async () => {
    const customer = await buildCustomer(server.em, shop);
    const document = `mutation ($shopId: ID!, $id: ID!) {
      updateCustomer(shopId: $shopId, id: $id, input: {}) { email storeCreditBalance } }`;
    const ask = async (...permissions: Permission[]) =>
      (await asService(...permissions)).ask(document, { id: customer.id });
    const refused = await ask(Permission.WRITE_CUSTOMERS, Permission.READ_ORDERS, Permission.READ_PRODUCTS);
    expect(codesOf(refused)).to.deep.equal(["FORBIDDEN"]);
    const { data } = await ask(Permission.WRITE_CUSTOMERS, Permission.READ_CUSTOMERS);
    expect(data.updateCustomer).to.deep.equal({ email: customer.email, storeCreditBalance: "0.00" });
  });

  it("shows the ID and version with the write permission alone", async () => {
    const product = await importProduct(server.em, shop);
    const document = `mutation ($shopId: ID!, $id: ID!) {
      updateProduct(shopId: $shopId, id: $id, input: { title: "Another" }) { id version } }`;
    const { data } = await (await asService(Permission.WRITE_PRODUCTS)).ask(document, { id: product.id });
    expect(data.updateProduct).to.deep.equal({ id: product.id, version: 2 });
  });

  it("reveals no stock in an error to a service without the read permission", async () => {
    const product = { title: "Mug", sku: "SECRET-1", inventoryQuantity: 41 };
    const { variants } = await buildProduct(server.em, shop, product);
    const service = await asService(Permission.WRITE_PRODUCTS);
    const document = `mutation ($shopId: ID!, $variantId: ID!) {
      setStock(shopId: $shopId, changes: [{ variantId: $variantId, quantity: 1, expectedQuantity: 0 }]) { error { message hint } }
      adjustStock(shopId: $shopId, changes: [{ variantId: $variantId, delta: -42, reason: CORRECTED }]) { error { message hint } } }`;
    const { data } = await service.ask(document, { variantId: variants[0]!.id });
    expect([...data.setStock, ...data.adjustStock].map(({ error }) => error.message)).to.deep.equal([
      "The stock has changed: it is not 0",
      `Insufficient stock of variant ${variants[0]!.id}`,
    ]);
  });

  it("is complete in REST for a key with only write_products", async () => {
    const key = await buildKey(server.em, shop, ["write_products"]);
    const { status, json } = await call(server, "POST", `/${shop.id}/products`, {
      key,
      body: { title: "Mug", price: 1 },
    });
    expect(status).to.equal(201);
    expect(Object.keys(json.product)).to.deep.equal(["id", "title", "handle", "status"]);
  });
});
