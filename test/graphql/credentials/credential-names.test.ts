import { expect } from "chai";
import { newId } from "../../../src/core/model/ids.ts";
import { codesOf, issuesOf, openBrowserAs } from "../../support/browser/browser.ts";
import { call } from "../../support/client.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import { askGraphql } from "../../support/graphql.ts";
import { useWorld } from "../../support/world.ts";

interface Kind {
  noun: string;
  create: string;
  update: string;
  revoke: string;
  action: string;
  missing: string;
}

const kinds: Kind[] = [
  {
    noun: "API key",
    create: `mutation ($shopId: ID!) { created: createApiKey(shopId: $shopId, input: { name: "Old", scopes: [READ_PRODUCTS] }) {
      secret credential: apiKey { id name } } }`,
    update: `mutation ($shopId: ID!, $id: ID!, $input: UpdateApiKeyInput!) {
      updated: updateApiKey(shopId: $shopId, id: $id, input: $input) { id name } }`,
    revoke: "mutation ($shopId: ID!, $id: ID!) { revokeApiKey(shopId: $shopId, id: $id) { id } }",
    action: "API_KEY_UPDATED",
    missing: newId("key"),
  },
  {
    noun: "Service token",
    create: `mutation ($shopId: ID!) {
      created: createServiceToken(shopId: $shopId, input: { name: "Old", permissions: [READ_PRODUCTS] }) {
        secret credential: serviceToken { id name } } }`,
    update: `mutation ($shopId: ID!, $id: ID!, $input: UpdateServiceTokenInput!) {
      updated: updateServiceToken(shopId: $shopId, id: $id, input: $input) { id name } }`,
    revoke: "mutation ($shopId: ID!, $id: ID!) { revokeServiceToken(shopId: $shopId, id: $id) { id } }",
    action: "SERVICE_TOKEN_UPDATED",
    missing: newId("svc"),
  },
];

for (const { noun, create, update, revoke, action, missing } of kinds) {
  describe(`The name of ${noun === "API key" ? "an API key" : "a service token"}`, () => {
    const { server, shop, ask, sql } = useWorld();
    let created: { secret: string; credential: { id: string } };

    beforeEach(async () => {
      created = (await ask(create)).data.created;
    });

    const rename = (name: unknown, id = created.credential.id) => ask(update, { id, input: { name } });
    const audit = () =>
      sql(
        "select target_id, target_name, details from audit_entries where shop_id = $1 and action = $2 order by id",
        action,
      );

    it("can change, also after its end, with both names in the audit log", async () => {
      const { id } = created.credential;
      expect((await rename("  New ")).data.updated).to.deep.equal({ id, name: "New" });
      expect((await rename("New")).data.updated).to.deep.equal({ id, name: "New" });
      await ask(revoke, { id });
      expect((await rename("Ended")).data.updated).to.deep.equal({ id, name: "Ended" });
      expect(await audit()).to.deep.equal([
        { target_id: id, target_name: "Old", details: { oldName: "Old", name: "New" } },
        { target_id: id, target_name: "New", details: { oldName: "New", name: "Ended" } },
      ]);
    });

    it("can change while the secret is in use", async () => {
      await rename("New");
      const { secret } = created;
      const { status } = secret.startsWith("sk_live_")
        ? await call(server, "GET", `/${shop.id}/products`, { key: secret })
        : await askGraphql(server, "{ viewer { name } }", {}, { authorization: `Bearer ${secret}` });
      expect(status).to.equal(200);
    });

    it("is 1 to 255 characters", async () => {
      for (const name of [" ", "a".repeat(256), "a\0b", "\ud800"]) {
        expect(issuesOf(await rename(name)), name).to.deep.equal(["name"]);
      }
      for (const input of [{}, { name: null }, { name: "New", scopes: [] }, { name: 1 }]) {
        expect((await ask(update, { id: created.credential.id, input })).status).to.equal(400);
      }
      expect(await audit()).to.deep.equal([]);
    });

    it("of another shop's credential cannot change", async () => {
      const other = await buildShop(server.em);
      const theirs = await openBrowserAs(server, await buildStaff(server.em, other));
      const { id } = created.credential;
      for (const unknown of [id, missing, "nonsense", "\0"]) {
        const answer = await theirs.ask(update, { shopId: other.id, id: unknown, input: { name: "Mine" } });
        expect(codesOf(answer)).to.deep.equal(["NOT_FOUND"]);
        expect(answer.errors[0]!.message).to.equal(`${noun} not found`);
      }
      const answer = await theirs.ask(update, { shopId: shop.id, id, input: { name: "Mine" } });
      expect(codesOf(answer)).to.deep.equal(["SHOP_NOT_FOUND"]);
      expect(await audit()).to.deep.equal([]);
    });
  });
}
