import { expect } from "chai";
import { issuesOf, openBrowser } from "../../support/browser/browser.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";

describe("Guessable passwords", () => {
  const { server, staff: owner, run, send } = useWorld();

  const invite = async (email: string): Promise<string> =>
    (await run("inviteMember", { input: { email, role: "CLERK" } })).token;
  const accept = (token: string, password: string) => openBrowser(server).send("acceptInvitation", { token, password });

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
    const change = (newPassword: string) => send("changePassword", { currentPassword: owner.password, newPassword });
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
