import { expect } from "chai";
import { issuesOf } from "../../support/browser/browser.ts";
import { call } from "../../support/client.ts";
import { askGraphql } from "../../support/graphql.ts";
import { useWorld } from "../../support/world.ts";

const kinds = [
  { noun: "apiKey", type: "ApiKey", scopes: { scopes: ["READ_PRODUCTS"] }, action: "API_KEY_UPDATED" },
  {
    noun: "serviceToken",
    type: "ServiceToken",
    scopes: { permissions: ["READ_PRODUCTS"] },
    action: "SERVICE_TOKEN_UPDATED",
  },
];

for (const { noun, type, scopes, action } of kinds) {
  describe(`The name of ${noun === "apiKey" ? "an API key" : "a service token"}`, () => {
    const { server, shop, run, send, sql } = useWorld();
    let secret: string;
    let id: string;

    beforeEach(async () => {
      const created = await run(`create${type}`, { input: { name: "Old", ...scopes } });
      ({ secret } = created);
      ({ id } = created[noun]);
    });

    const rename = (name: string) => run(`update${type}`, { id, input: { name } });
    const audit = () =>
      sql(
        "select target_id, target_name, details from audit_entries where shop_id = $1 and action = $2 order by id",
        action,
      );

    it("can change, also after its end, with both names in the audit log", async () => {
      expect(await rename("  New ")).to.include({ id, name: "New" });
      expect(await rename("New")).to.include({ id, name: "New" });
      await run(`revoke${type}`, { id });
      expect(await rename("Ended")).to.include({ id, name: "Ended" });
      expect(await audit()).to.deep.equal([
        { target_id: id, target_name: "Old", details: { oldName: "Old", name: "New" } },
        { target_id: id, target_name: "New", details: { oldName: "New", name: "Ended" } },
      ]);
    });

    it("can change while the secret is in use", async () => {
      await rename("New");
      const { status } = secret.startsWith("sk_live_")
        ? await call(server, "GET", `/${shop.id}/products`, { key: secret })
        : await askGraphql(server, "{ viewer { name } }", {}, { authorization: `Bearer ${secret}` });
      expect(status).to.equal(200);
    });

    it("is 1 to 255 characters", async () => {
      for (const name of [" ", "a".repeat(256), "a\0b", "\ud800"]) {
        expect(issuesOf(await send(`update${type}`, { id, input: { name } })), name).to.deep.equal(["name"]);
      }
      for (const input of [{}, { name: null }, { name: "New", scopes: [] }, { name: 1 }]) {
        expect((await send(`update${type}`, { id, input })).status).to.equal(400);
      }
      expect(await audit()).to.deep.equal([]);
    });
  });
}
