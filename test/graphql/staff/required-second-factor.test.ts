import { expect } from "chai";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser, openBrowserAs, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildKey, buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { call } from "../../support/client.ts";
import { codeOf, enroll } from "../../support/staff/second-factor.ts";
import { useWorld } from "../../support/world.ts";

const REQUIRE = `mutation ($shopId: ID!, $value: Boolean) {
  updateShop(shopId: $shopId, input: { requiresSecondFactor: $value }) { requiresSecondFactor }
}`;
const VIEWER = `{ viewer {
  hasSecondFactor
  memberships { shop { id requiresSecondFactor } role needsSecondFactor permissions }
} }`;
const PRODUCTS = "query ($shopId: ID!) { shop(id: $shopId) { name products { total } } }";
const CREATE = `mutation ($shopId: ID!) {
  createProduct(shopId: $shopId, input: { title: "Mug", variants: [{ price: "1" }] }) { id }
}`;
const SANDBOX = "mutation ($shopId: ID!) { createSandbox(shopId: $shopId, content: EMPTY) { id } }";
const RESET = "mutation ($shopId: ID!) { resetSandbox(shopId: $shopId, content: PRODUCTS) { id } }";
const INVITE = `mutation ($shopId: ID!) {
  inviteMember(shopId: $shopId, input: { email: "new@example.com", role: OWNER }) { token }
}`;
const DISABLE =
  "mutation ($password: String!, $code: String!) { disableSecondFactor(password: $password, code: $code) }";

describe("A shop that requires two-factor authentication of owners", () => {
  const world = useWorld();
  const { server, shop, staff: owner } = world;
  let browser: TestBrowser;

  beforeEach("log in", async () => {
    browser = await world.browser();
  });

  const openAs = (account: TestStaff) => openBrowserAs(server, account);

  const ask = (from: TestBrowser, document: string, variables: Record<string, unknown> = {}) =>
    from.ask(document, { shopId: shop.id, ...variables });
  const require = (value: boolean | null, from = browser) => ask(from, REQUIRE, { value });
  const membershipsOf = async (from: TestBrowser) => (await from.ask(VIEWER)).data.viewer.memberships;

  it("needs an owner with two-factor authentication to require it", async () => {
    const answer = await require(true);
    expect(codesOf(answer)).to.deep.equal(["SECOND_FACTOR_NOT_ENROLLED"]);
    expect(answer.errors[0]!.message).to.equal("You must use two-factor authentication to require it");
    await enroll(browser, owner);
    expect((await require(true)).data.updateShop).to.deep.equal({ requiresSecondFactor: true });
    expect((await require(null)).data.updateShop).to.deep.equal({ requiresSecondFactor: true });
    expect(codesOf(await ask(browser, PRODUCTS))).to.deep.equal([]);
    expect((await require(false)).data.updateShop).to.deep.equal({ requiresSecondFactor: false });
    const audited = await world.sql<{ details: unknown }>(
      "select details from audit_entries where shop_id = $1 and action = 'SHOP_UPDATED' order by id",
    );
    expect(audited.map(({ details }) => details)).to.deep.equal([
      { oldRequiresSecondFactor: "false", requiresSecondFactor: "true" },
      { oldRequiresSecondFactor: "true", requiresSecondFactor: "false" },
    ]);
  });

  describe("while required", () => {
    let other: TestStaff;
    let otherBrowser: TestBrowser;

    beforeEach(async () => {
      other = await buildStaff(server.em, shop);
      otherBrowser = await openAs(other);
      await enroll(browser, owner);
      await require(true);
    });

    it("refuses owners without it, immediately and after a login, with a hint", async () => {
      for (const from of [otherBrowser, await openAs(other)]) {
        for (const document of [PRODUCTS, CREATE, INVITE, REQUIRE]) {
          const answer = await ask(from, document, { value: false });
          expect(codesOf(answer), document).to.deep.equal(["SECOND_FACTOR_NOT_ENROLLED"]);
          expect(answer.errors[0]).to.deep.include({
            message: "This shop requires two-factor authentication of its owners",
          });
          expect(answer.errors[0]!.extensions).to.have.property("hint").that.includes("beginSecondFactor");
        }
        expect(await membershipsOf(from)).to.deep.equal([
          {
            shop: { id: shop.id, requiresSecondFactor: true },
            role: "OWNER",
            needsSecondFactor: true,
            permissions: [],
          },
        ]);
      }
    });

    it("admits them once they have set it up", async () => {
      await enroll(otherBrowser, other);
      const [membership] = await membershipsOf(otherBrowser);
      expect(membership).to.include({ needsSecondFactor: false });
      expect(membership.permissions).to.have.length(10);
      for (const document of [PRODUCTS, CREATE, INVITE]) {
        expect(codesOf(await ask(otherBrowser, document)), document).to.deep.equal([]);
      }
    });

    it("refuses them once they have turned it off", async () => {
      const { recoveryCodes } = await enroll(otherBrowser, other);
      await otherBrowser.ask(DISABLE, { password: other.password, code: recoveryCodes[0] });
      expect(codesOf(await ask(otherBrowser, CREATE))).to.deep.equal(["SECOND_FACTOR_NOT_ENROLLED"]);
    });

    it("does not apply to other roles, other shops and keys", async () => {
      const manager = await openAs(await buildStaff(server.em, shop, Role.MANAGER));
      expect(codesOf(await ask(manager, CREATE))).to.deep.equal([]);
      const elsewhere = await buildShop(server.em);
      await query(server.databaseUrl, "insert into memberships values ($1, $2, 'OWNER', now())", [
        elsewhere.id,
        other.id,
      ]);
      expect(codesOf(await otherBrowser.ask(CREATE, { shopId: elsewhere.id }))).to.deep.equal([]);
      const key = await buildKey(server.em, shop);
      expect((await call(server, "GET", `/${shop.id}/products`, { key })).status).to.equal(200);
    });

    it("applies to the shop's sandboxes, also to earlier ones, whose reset copies its products", async () => {
      await require(false);
      const { id } = (await ask(browser, SANDBOX)).data.createSandbox;
      await world.sql("update shops set sandbox_state = 'READY', closed_at = null where sandbox_of = $1");
      await require(true);
      expect(codesOf(await otherBrowser.ask(RESET, { shopId: id }))).to.deep.equal(["SECOND_FACTOR_NOT_ENROLLED"]);
    });

    it("applies to a member who becomes an owner", async () => {
      const clerk = await buildStaff(server.em, shop, Role.CLERK);
      const from = await openAs(clerk);
      await ask(
        browser,
        "mutation ($shopId: ID!, $id: ID!) { changeMemberRole(shopId: $shopId, staffId: $id, role: OWNER) { id } }",
        { id: clerk.id },
      );
      expect(codesOf(await ask(from, PRODUCTS))).to.deep.equal(["SECOND_FACTOR_NOT_ENROLLED"]);
      await enroll(from, clerk);
      expect(codesOf(await ask(from, PRODUCTS))).to.deep.equal([]);
    });

    it("does not affect owners with it", async () => {
      const { secret } = await enroll(otherBrowser, other);
      const again = openBrowser(server);
      await again.logIn({ ...other, code: codeOf(secret, 1) });
      expect(codesOf(await ask(again, PRODUCTS))).to.deep.equal([]);
    });
  });
});
