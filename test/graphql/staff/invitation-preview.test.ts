import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import { askGraphql } from "../../support/graphql.ts";
import { buildInvitation } from "../../support/staff/invitations.ts";
import { useWorld } from "../../support/world.ts";

const PREVIEW =
  "query ($token: String!) { invitation(token: $token) { shopId shopName role email expiresAt hasAccount } }";

describe("An invitation's token", () => {
  const { server, shop, sql } = useWorld();

  const invite = (email: string, role: Role = Role.CLERK) =>
    buildInvitation(server, shop.id, operator, { email, role });
  const preview = (token: string) => askGraphql(server, PREVIEW, { token });
  const accept = (token: string) =>
    openBrowser(server).send("acceptInvitation", { token, password: "a password of theirs" });

  it("shows the invitation without a session, and without using it", async () => {
    const token = await invite("new@example.com", Role.MANAGER);
    const [row] = await sql<{ expires_at: Date }>("select expires_at from invitations where shop_id = $1");
    for (let turn = 0; turn < 2; turn += 1) {
      const { data, errors, headers } = await preview(token);
      expect(errors).to.deep.equal([]);
      expect(data.invitation).to.deep.equal({
        shopId: shop.id,
        shopName: shop.name,
        role: "MANAGER",
        email: "new@example.com",
        expiresAt: row!.expires_at.toISOString(),
        hasAccount: false,
      });
      expect(headers.getSetCookie()).to.deep.equal([]);
      expect(headers.get("cache-control")).to.equal("no-store");
    }
    expect(codesOf(await accept(token))).to.deep.equal([]);
  });

  it("shows whether the address has an account, and not whether it is disabled", async () => {
    const theirs = await buildStaff(server.em, await buildShop(server.em));
    const token = await invite(theirs.email.toUpperCase());
    expect((await preview(token)).data.invitation).to.include({ hasAccount: true });
    await query(server.databaseUrl, "update staff set disabled_at = now() where id = $1", [theirs.id]);
    expect((await preview(token)).data.invitation).to.include({ hasAccount: true });
  });

  it("is answered alike for all invalid tokens", async () => {
    const used = await invite("used@example.com");
    await accept(used);
    const expired = await invite("expired@example.com");
    await query(server.databaseUrl, "update invitations set expires_at = now() where email = $1", [
      "expired@example.com",
    ]);
    const replaced = await invite("again@example.com");
    await invite("again@example.com");
    const tokens = [used, expired, replaced, "", "x", "\0", "\ud800", "a".repeat(43), "a".repeat(1_000)];
    const answers = await Promise.all(tokens.map(preview));
    expect(new Set(answers.map(({ errors, data }) => JSON.stringify([errors, data])))).to.have.length(1);
    expect(codesOf(answers[0]!)).to.deep.equal(["NOT_FOUND"]);
  });
});
