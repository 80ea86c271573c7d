import { expect } from "chai";
import { newId } from "../../../src/core/model/ids.ts";
import { openBrowserAs } from "../../support/browser/browser.ts";
import { buildEndpoint, buildShop, buildStaff } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";

const FIELDS = `id url topics paused description createdByName createdAt health { status waitingDeliveries }
  hourlyAttempts(hours: 2) { attempts } replay { total }`;
const ENDPOINT = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { webhookEndpoint(id: $id) { ${FIELDS} } } }`;
const ENDPOINTS = `query ($shopId: ID!) { shop(id: $shopId) { webhookEndpoints { ${FIELDS} } } }`;

describe("A webhook endpoint by its id", () => {
  const server = useServer();

  it("equals the one in the list, and is null for a foreign or unknown ID", async () => {
    const shop = await buildShop(server.em);
    const browser = await openBrowserAs(server, await buildStaff(server.em, shop));
    await buildEndpoint(server, shop, "https://receiver.example/one");
    const { endpoint } = await buildEndpoint(server, shop, "https://receiver.example/two", ["order.paid"]);
    const foreign = await buildEndpoint(server, await buildShop(server.em), "https://receiver.example/foreign");
    const find = async (id: string) => {
      const { data, errors } = await browser.ask(ENDPOINT, { shopId: shop.id, id });
      expect(errors).to.deep.equal([]);
      return data.shop.webhookEndpoint;
    };
    const found = await find(endpoint.id);
    expect(found).to.include({ id: endpoint.id, url: "https://receiver.example/two" });
    expect(found).to.deep.equal((await browser.ask(ENDPOINTS, { shopId: shop.id })).data.shop.webhookEndpoints[1]);
    for (const id of [foreign.endpoint.id, newId("whe"), "nonsense", "", "\0"]) expect(await find(id)).to.equal(null);
  });
});
