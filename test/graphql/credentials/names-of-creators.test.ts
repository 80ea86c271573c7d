import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { openBrowserAs } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildEndpoint, buildKey, buildStaff, type TestStaff } from "../../support/factories.ts";
import { buildInvitation } from "../../support/staff/invitations.ts";
import { useWorld } from "../../support/world.ts";

const NAMES = `query ($shopId: ID!) { shop(id: $shopId) { apiKeys { items { createdByName } }
  serviceTokens { items { createdByName } } webhookEndpoints { createdByName } invitations { invitedByName } } }`;
const CREATE = `mutation ($shopId: ID!, $url: String!, $email: String!) {
  createApiKey(shopId: $shopId, input: { name: "Key", scopes: [READ_ORDERS] }) { apiKey { createdByName } }
  createServiceToken(shopId: $shopId, input: { name: "Token", permissions: [READ_ORDERS] }) {
    serviceToken { createdByName } }
  createWebhookEndpoint(shopId: $shopId, input: { url: $url, topics: ["order.paid"] }) { endpoint { createdByName } }
  inviteMember(shopId: $shopId, input: { email: $email, role: VIEWER }) { invitation { invitedByName } }
}`;

describe("Creator names of credentials, endpoints and invitations", () => {
  const { server, shop, staff: owner } = useWorld();

  let created = 0;
  async function createAs(staff: TestStaff) {
    created += 1;
    const variables = {
      shopId: shop.id,
      url: `https://receiver.example/${created}`,
      email: `invited-${created}@example.com`,
    };
    const { data, errors } = await (await openBrowserAs(server, staff)).ask(CREATE, variables);
    expect(errors).to.deep.equal([]);
    return Object.values(data).flatMap((answer) => Object.values(answer as object)) as Record<string, string>[];
  }

  async function names(): Promise<(string | null)[][]> {
    const { data, errors } = await (await openBrowserAs(server, owner)).ask(NAMES, { shopId: shop.id });
    expect(errors).to.deep.equal([]);
    const { apiKeys, serviceTokens, webhookEndpoints, invitations } = data.shop;
    const lists = [apiKeys.items, serviceTokens.items, webhookEndpoints, invitations] as Record<string, string>[][];
    return lists.map((list) => list.flatMap((item) => Object.values(item)).toSorted());
  }

  it("are in every response, also after the creator has left the shop", async () => {
    const other = await buildStaff(server.em, shop);
    expect((await createAs(other)).flatMap((answer) => Object.values(answer))).to.deep.equal(
      Array.from({ length: 4 }, () => other.email),
    );
    await createAs(owner);
    const both = [owner.email, other.email].toSorted();
    expect(await names()).to.deep.equal([both, both, both, both]);
    await query(server.databaseUrl, "delete from memberships where staff_id = $1", [other.id]);
    expect(await names()).to.deep.equal([both, both, both, both]);
  });

  it("are null for an operator", async () => {
    await buildKey(server.em, shop);
    await buildEndpoint(server, shop, "https://receiver.example/operator");
    await buildInvitation(server, shop.id, operator, { email: "operator-invited@example.com", role: Role.VIEWER });
    expect(await names()).to.deep.equal([[null], [], [null], [null]]);
  });
});
