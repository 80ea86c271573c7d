import { expect } from "chai";
import { Plan } from "../../../src/core/model/shops/shop.entity.ts";
import { buildEndpoint, buildKey, buildShop } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { World, type WorldOptions } from "../../support/world.ts";

const LIMITS = `query ($shopId: ID!) { shop(id: $shopId) {
  apiKeyLimit { used maximum } webhookEndpointLimit { used maximum } availableScopes
} }`;

const DAY = 86_400_000;
const all = ["PRODUCTS", "ORDERS", "CUSTOMERS", "INVENTORY"].flatMap((resource) => [
  `READ_${resource}`,
  `WRITE_${resource}`,
]);
const reads = all.filter((scope) => scope.startsWith("READ_"));

describe("A shop's plan limits", () => {
  const server = useServer();

  async function useShop(overrides: WorldOptions) {
    const { shop, ask, sql } = await new World(server).open(overrides);
    return { shop, ask, sql, limits: async () => (await ask(LIMITS)).data.shop };
  }

  for (const [name, overrides, keys, endpoints, scopes] of [
    ["ENTERPRISE", { plan: Plan.ENTERPRISE }, 10, 25, all],
    ["GROWTH", { plan: Plan.GROWTH }, 2, 3, reads],
    ["NONE", { plan: Plan.NONE }, 0, 0, []],
    ["a trial", { plan: Plan.TRIAL, trialEndsAt: new Date(Date.now() + DAY) }, 10, 25, all],
    ["a trial that ended", { plan: Plan.TRIAL, trialEndsAt: new Date(1) }, 0, 0, []],
  ] as const) {
    it(`include places and scopes: ${name}`, async () => {
      const { limits } = await useShop(overrides);
      expect(await limits()).to.deep.equal({
        apiKeyLimit: { used: 0, maximum: keys },
        webhookEndpointLimit: { used: 0, maximum: endpoints },
        availableScopes: scopes,
      });
    });
  }

  it("count used places, also above the limit, and none of another shop", async () => {
    const { shop, ask, sql, limits } = await useShop({ plan: Plan.ENTERPRISE });
    const other = await buildShop(server.em);
    await buildKey(server.em, other);
    await buildEndpoint(server, other, "https://receiver.example/other");
    for (const path of ["a", "b", "c", "d"]) await buildEndpoint(server, shop, `https://receiver.example/${path}`);
    for (let count = 0; count < 3; count += 1) await buildKey(server.em, shop);
    const { items } = (await ask("query ($shopId: ID!) { shop(id: $shopId) { apiKeys { items { id } } } }")).data.shop
      .apiKeys;
    const [rotated, revoked] = items;
    const rotate = `mutation ($shopId: ID!, $id: ID!) { rotateApiKey(shopId: $shopId, id: $id, input: {}) { secret } }`;
    expect((await ask(rotate, { id: rotated.id })).errors).to.deep.equal([]);
    expect(await limits()).to.deep.include({
      apiKeyLimit: { used: 3, maximum: 10 },
      webhookEndpointLimit: { used: 4, maximum: 25 },
    });
    await ask("mutation ($shopId: ID!, $id: ID!) { revokeApiKey(shopId: $shopId, id: $id) { id } }", {
      id: revoked.id,
    });
    await sql("update shops set plan = 'GROWTH' where id = $1");
    expect(await limits()).to.deep.equal({
      apiKeyLimit: { used: 2, maximum: 2 },
      webhookEndpointLimit: { used: 4, maximum: 3 },
      availableScopes: reads,
    });
  });
});
