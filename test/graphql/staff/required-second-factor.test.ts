import { expect } from "chai";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser, openBrowserAs, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { codeOf, enroll } from "../../support/staff/second-factor.ts";
import { useWorld } from "../../support/world.ts";

const VIEWER = "{ viewer { memberships { shop { id requiresSecondFactor } role needsSecondFactor permissions } } }";
const CREATE = ["createProduct", { input: { title: "Mug", variants: [{ price: "1" }] } }] as const;
const NEEDED = [
  ["products", {}],
  CREATE,
  ["inviteMember", { input: { email: "new@example.com", role: "OWNER" } }],
] as const;
const STOP = ["updateShop", { input: { requiresSecondFactor: false } }] as const;

describe("A shop that requires two-factor authentication of owners", () => {
  const world = useWorld();
  const { server, shop, staff: owner } = world;
  let browser: TestBrowser;

  beforeEach("log in", async () => {
    browser = await world.browser();
  });

  const openAs = (account: TestStaff) => openBrowserAs(server, account);

  const send = (from: TestBrowser, [name, variables]: readonly [string, object], { id } = shop) =>
    from.send(name, { shopId: id, ...variables });
  const require = (requiresSecondFactor: boolean | null) =>
    send(browser, ["updateShop", { input: { requiresSecondFactor } }]);
  const membershipsOf = async (from: TestBrowser) => (await from.ask(VIEWER)).data.viewer.memberships;

  it("needs an owner with two-factor authentication to require it", async () => {
    const answer = await require(true);
    expect(codesOf(answer)).to.deep.equal(["SECOND_FACTOR_NOT_ENROLLED"]);
    expect(answer.errors[0]!.message).to.equal("You must use two-factor authentication to require it");
    await enroll(browser, owner);
    for (const value of [true, null, false]) {
      const expected = { requiresSecondFactor: value ?? true };
      expect((await require(value)).data.updateShop).to.deep.include(expected);
      expect(codesOf(await send(browser, CREATE))).to.deep.equal([]);
    }
    const audited = (await world.audited()).filter(([action]) => action === "SHOP_UPDATED");
    expect(audited.map(([, details]) => details)).to.deep.equal([
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
        for (const operation of [...NEEDED, STOP]) {
          const answer = await send(from, operation);
          expect(codesOf(answer), operation[0]).to.deep.equal(["SECOND_FACTOR_NOT_ENROLLED"]);
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
      for (const operation of NEEDED) {
        expect(codesOf(await send(otherBrowser, operation)), operation[0]).to.deep.equal([]);
      }
    });

    it("refuses them once they have turned it off", async () => {
      const { recoveryCodes } = await enroll(otherBrowser, other);
      await otherBrowser.send("disableSecondFactor", { password: other.password, code: recoveryCodes[0] });
      expect(codesOf(await send(otherBrowser, CREATE))).to.deep.equal(["SECOND_FACTOR_NOT_ENROLLED"]);
    });

    it("does not apply to other roles, other shops and keys", async () => {
      const manager = await openAs(await buildStaff(server.em, shop, Role.MANAGER));
      expect(codesOf(await send(manager, CREATE))).to.deep.equal([]);
      const elsewhere = await buildShop(server.em);
      const join = "insert into memberships values ($1, $2, 'OWNER', now())";
      await query(server.databaseUrl, join, [elsewhere.id, other.id]);
      expect(codesOf(await send(otherBrowser, CREATE, elsewhere))).to.deep.equal([]);
      expect((await world.call("GET", "/products")).status).to.equal(200);
    });

    it("applies to the shop's sandboxes, also to earlier ones, whose reset copies its products", async () => {
      await require(false);
      const sandbox = await world.run("createSandbox", { content: "EMPTY" });
      await world.sql("update shops set sandbox_state = 'READY', closed_at = null where sandbox_of = $1");
      await require(true);
      const reset = await send(otherBrowser, ["resetSandbox", { content: "PRODUCTS" }], sandbox);
      expect(codesOf(reset)).to.deep.equal(["SECOND_FACTOR_NOT_ENROLLED"]);
    });

    it("applies to a member who becomes an owner", async () => {
      const clerk = await buildStaff(server.em, shop, Role.CLERK);
      const from = await openAs(clerk);
      await world.run("changeMemberRole", { staffId: clerk.id, role: "OWNER" });
      expect(codesOf(await send(from, CREATE))).to.deep.equal(["SECOND_FACTOR_NOT_ENROLLED"]);
      await enroll(from, clerk);
      expect(codesOf(await send(from, CREATE))).to.deep.equal([]);
    });

    it("does not affect owners with it", async () => {
      const { secret } = await enroll(otherBrowser, other);
      const again = openBrowser(server);
      await again.logIn({ ...other, code: codeOf(secret, 1) });
      expect(codesOf(await send(again, CREATE))).to.deep.equal([]);
    });
  });
});
