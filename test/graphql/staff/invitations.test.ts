import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { addMember } from "../../../src/core/staff/members/add-member.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, issuesOf, openBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import { buildInvitation } from "../../support/staff/invitations.ts";
import { useWorld } from "../../support/world.ts";

const VIEWER = "{ viewer { name memberships { shop { id } role } } }";

const PASSWORD = "a password of theirs";

interface AuditRow {
  action: string;
  actor_id: string;
  target_name: string;
  details: Record<string, string>;
}

interface Member {
  id: string;
  role: Role;
}

describe("Invitations", () => {
  const { server, shop, staff: owner, run, send, sql } = useWorld();

  const rolesOf = async () => Object.fromEntries((await run("members")).map(({ id, role }: Member) => [id, role]));
  const auditOf = (action: string) =>
    sql<AuditRow>("select * from audit_entries where shop_id = $1 and action = $2", action);

  let invited = 0;
  const someone = () => `invited-${(invited += 1)}@example.com`;

  async function invite(email: string, role: Role = Role.CLERK): Promise<{ token: string; id: string }> {
    const { token, invitation } = await run("inviteMember", { input: { email, role } });
    return { token, id: invitation.id };
  }

  const accept = (token: string, password = PASSWORD, from = openBrowser(server)) =>
    from.send("acceptInvitation", { token, password });
  const invitationsOf = () => run("invitations");
  const expire = (id: string) =>
    query(server.databaseUrl, "update invitations set expires_at = now() where id = $1", [id]);

  it("are listed without the token, which is stored as a digest", async () => {
    const email = someone();
    const { token, invitation } = await run("inviteMember", { input: { email, role: "CLERK" } });
    expect(token).to.match(/^[\w-]{43}$/);
    expect(invitation).to.include({ email, role: "CLERK", invitedBy: owner.id });
    expect(Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)).to.equal(7 * 86_400_000);
    expect(await invitationsOf()).to.deep.equal([invitation]);
    const [row] = await query<{ text: string }>(
      server.databaseUrl,
      "select invitations::text as text from invitations where id = $1",
      [invitation.id],
    );
    expect(row!.text).not.to.include(Buffer.from(token).toString("hex"));
    const [audit] = await auditOf("MEMBER_INVITED");
    expect(audit).to.deep.include({ actor_id: owner.id, target_name: email, details: { role: "CLERK" } });
  });

  it("create an account with the password, and log in", async () => {
    const email = someone();
    const { token } = await invite(email, Role.MANAGER);
    const theirs = openBrowser(server);
    const { data } = await accept(token, PASSWORD, theirs);
    expect(data.acceptInvitation.email).to.equal(email);
    expect((await theirs.ask(VIEWER)).data.viewer).to.deep.equal({
      name: email,
      memberships: [{ shop: { id: shop.id }, role: "MANAGER" }],
    });
    expect(await rolesOf()).to.include({ [data.acceptInvitation.id]: "MANAGER" });
    expect(await invitationsOf()).to.deep.equal([]);
    expect(codesOf(await openBrowser(server).logIn({ email, password: PASSWORD }))).to.deep.equal([]);
    const [audit] = await auditOf("INVITATION_ACCEPTED");
    expect(audit).to.deep.include({ actor_id: data.acceptInvitation.id, target_name: email });
  });

  it("accept every valid email address", async () => {
    const email = "a&b!#$%*=?^{}~/@münchen.example";
    const stored = "a&b!#$%*=?^{}~/@xn--mnchen-3ya.example";
    const { token } = await invite(` ${email} `);
    expect((await accept(token)).data.acceptInvitation.email).to.equal(stored);
    for (const typed of [email, stored.toUpperCase(), ` ${stored}`, `\u2068${stored.replace("@", "＠")}\u2069`]) {
      expect(codesOf(await openBrowser(server).logIn({ email: typed, password: PASSWORD })), typed).to.deep.equal([]);
    }
    const { errors } = await send("inviteMember", { input: { email: "a..b@example.com", role: "CLERK" } });
    expect(errors[0]!.extensions).to.deep.include({
      issues: [{ path: "email", code: "invalid_value", message: "Must be an email address" }],
    });
  });

  it("join an existing account with its password", async () => {
    const elsewhere = await buildShop(server.em);
    const theirs = await buildStaff(server.em, elsewhere);
    const { token } = await invite(theirs.email.toUpperCase());
    const refused = await accept(token, PASSWORD);
    expect(codesOf(refused)).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(refused.headers.getSetCookie()).to.deep.equal([]);
    expect(await rolesOf()).not.to.have.property(theirs.id);
    const guest = openBrowser(server);
    expect((await accept(token, theirs.password, guest)).data.acceptInvitation.id).to.equal(theirs.id);
    expect((await guest.ask(VIEWER)).data.viewer.memberships).to.deep.equal([
      { shop: { id: elsewhere.id }, role: "OWNER" },
      { shop: { id: shop.id }, role: "CLERK" },
    ]);
  });

  it("count wrong passwords of an existing account like a login", async () => {
    const theirs = await buildStaff(server.em, await buildShop(server.em));
    const { token } = await invite(theirs.email);
    const codes = (await Promise.all(Array.from({ length: 12 }, () => accept(token)))).flatMap(codesOf);
    expect(codes.filter((code) => code === "RATE_LIMITED")).to.have.length(2);
    expect(codesOf(await openBrowser(server).logIn(theirs))).to.deep.equal(["RATE_LIMITED"]);
  });

  it("refuse an invalid password, and stay valid", async () => {
    const { token } = await invite(someone());
    for (const password of ["", "11 of them.", "x".repeat(257), "twelve \0 characters"]) {
      expect(issuesOf(await accept(token, password)), password).to.deep.equal(["password"]);
    }
    expect(codesOf(await accept(token))).to.deep.equal([]);
  });

  it("are answered alike when used, expired, replaced, revoked or unknown", async () => {
    const [used, expired, replaced, revoked] = await Promise.all([
      invite(someone()),
      invite(someone()),
      invite("again@example.com"),
      invite(someone()),
    ]);
    await accept(used.token);
    await expire(expired.id);
    const fresh = await invite("AGAIN@example.com", Role.VIEWER);
    await run("revokeInvitation", { id: revoked.id });
    expect(await auditOf("INVITATION_REVOKED")).to.have.length(1);
    const tokens = [used, expired, replaced, revoked].map(({ token }) => token);
    const before = await query(server.databaseUrl, "select id from staff");
    const answers = await Promise.all([...tokens, "", "x", "a".repeat(43)].map((token) => accept(token)));
    expect(new Set(answers.map(({ errors }) => JSON.stringify(errors)))).to.have.length(1);
    expect(codesOf(answers[0]!)).to.deep.equal(["NOT_FOUND"]);
    expect(await query(server.databaseUrl, "select id from staff")).to.have.length(before.length);
    const waiting = (await invitationsOf()).filter(({ email }: { email: string }) => /again/i.test(email));
    expect(waiting).to.have.length(1);
    expect(waiting[0]).to.include({ id: fresh.id, role: "VIEWER", email: "AGAIN@example.com" });
  });

  it("work once with concurrent requests", async () => {
    const email = someone();
    const { token } = await invite(email);
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(token)));
    expect(answers.filter(({ errors }) => errors.length === 0)).to.have.length(1);
    expect(new Set(answers.flatMap(codesOf))).to.deep.equal(new Set(["NOT_FOUND"]));
    const rows = await query(server.databaseUrl, "select 1 from staff where email = $1", [email]);
    expect(rows).to.have.length(1);
    expect(await auditOf("INVITATION_ACCEPTED")).to.have.length(1);
  });

  it("of two shops create one account with concurrent requests", async () => {
    const email = someone();
    const { token } = await invite(email);
    const foreign = await buildShop(server.em);
    const theirs = await buildInvitation(server, foreign.id, operator, { email, role: Role.VIEWER });
    const answers = await Promise.all([accept(token), accept(theirs)]);
    for (const code of answers.flatMap(codesOf)) expect(code).to.equal("CONFLICT");
    const again = await Promise.all([accept(token), accept(theirs)]);
    for (const code of again.flatMap(codesOf)) expect(code).to.equal("NOT_FOUND");
    const rows = await query(
      server.databaseUrl,
      "select shop_id from staff join memberships on staff_id = id where email = $1",
      [email],
    );
    expect(rows).to.have.length(2);
  });

  it("are either accepted or revoked with concurrent requests", async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const email = someone();
      const { token, id } = await invite(email);
      const [accepted, revoked] = await Promise.all([accept(token), send("revokeInvitation", { id })]);
      expect(revoked.errors).to.deep.equal([]);
      expect(accepted.errors.length === 0).to.equal(!revoked.data.revokeInvitation);
      expect(await invitationsOf()).to.deep.equal([]);
    }
  });

  it("are invalid once the person was added otherwise", async () => {
    const email = someone();
    const { token } = await invite(email);
    await addMember({ em: server.em, shop, actor: operator }, { email, role: Role.VIEWER, password: PASSWORD });
    expect(await invitationsOf()).to.deep.equal([]);
    expect(codesOf(await accept(token))).to.deep.equal(["NOT_FOUND"]);
  });

  it("are unique per address with concurrent requests", async () => {
    const email = someone();
    await Promise.all([invite(email), invite(email.toUpperCase()), invite(email)]);
    expect(await invitationsOf()).to.have.length(1);
  });

  it("are refused for members", async () => {
    const clerk = await buildStaff(server.em, shop, Role.CLERK);
    for (const email of [clerk.email, clerk.email.toUpperCase(), owner.email]) {
      expect(issuesOf(await send("inviteMember", { input: { email, role: "OWNER" } }))).to.deep.equal(["email"]);
    }
    expect(await invitationsOf()).to.deep.equal([]);
  });
});
