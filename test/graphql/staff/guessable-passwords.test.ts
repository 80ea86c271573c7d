import { expect } from "chai";
import { issuesOf, openBrowser, type TestBrowser } from "../../support/browser/browser.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";

const INVITE = `mutation ($shopId: ID!, $email: String!) {
  inviteMember(shopId: $shopId, input: { email: $email, role: CLERK }) { token }
}`;
const ACCEPT =
  "mutation ($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) { id } }";
const CHANGE =
  "mutation ($current: String!, $new: String!) { changePassword(currentPassword: $current, newPassword: $new) }";

describe("Guessable passwords", () => {
  const world = useWorld();
  const { server, staff: owner, ask } = world;
  let browser: TestBrowser;

  beforeEach("log in", async () => {
    browser = await world.browser();
  });

  async function invite(email: string): Promise<string> {
    const { data } = await ask(INVITE, { email });
    return data.inviteMember.token;
  }

  const accept = (token: string, password: string) => openBrowser(server).ask(ACCEPT, { token, password });

  it("are refused with an invitation, which stays valid", async () => {
    const token = await invite("new.clerk@example.com");
    for (const password of ["passwordpassword", "New.Clerk1234"]) {
      const answer = await accept(token, password);
      expect(issuesOf(answer)).to.deep.equal(["password"]);
      expect(answer.errors[0]!.extensions).to.have.nested.property("issues[0].code", "too_common");
    }
    expect((await accept(token, "several words of mine")).errors).to.deep.equal([]);
  });

  it("are refused in a change, and the old password stays", async () => {
    const change = (password: string) => browser.ask(CHANGE, { current: owner.password, new: password });
    expect(issuesOf(await change("123456789012"))).to.deep.equal(["newPassword"]);
    expect(issuesOf(await change(owner.email))).to.deep.equal(["newPassword"]);
    expect((await openBrowser(server).logIn(owner)).errors).to.deep.equal([]);
  });

  it("still work for logins", async () => {
    const other = await buildShop(server.em);
    const veteran = await buildStaff(server.em, other, undefined, "passwordpassword");
    expect((await openBrowser(server).logIn(veteran)).errors).to.deep.equal([]);
    expect((await accept(await invite(veteran.email), veteran.password)).errors).to.deep.equal([]);
  });
});
