import { randomBytes } from "node:crypto";
import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { operator } from "../../src/core/access/actor.ts";
import { addMember } from "../../src/core/staff/members/add-member.ts";
import { OperatorError } from "../../src/platform/errors.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser } from "../support/browser/browser.ts";
import { runCommand } from "../support/programs/command.ts";
import { query } from "../support/database.ts";
import { buildShop, buildStaff } from "../support/factories.ts";
import { buildFactor, enroll } from "../support/staff/second-factor.ts";
import { mailJobs } from "../support/mail/mail-jobs.ts";
import { useServer } from "../support/server.ts";

const PASSWORD = "typed at the terminal";

describe("merchant-api staff", () => {
  const server = useServer({ own: "adds accounts by fixed addresses" });
  let shop: Shop;

  before(async () => {
    shop = await buildShop(server.em);
  });

  /** Runs a command as an operator's script would: what is typed comes from a pipe. */
  const run = (command: string[], typed?: string, environment: Record<string, string> = {}) =>
    runCommand(
      ["staff", ...command],
      { DATABASE_URL: server.databaseUrl, BASE_URL: "https://api.shop.example", ...environment },
      typed,
    );

  const add = (email: string, role: string, more: string[] = []) =>
    ["add", "--shop", shop.id, "--email", email, "--role", role].concat(more);
  const rolesOf = (email: string) =>
    query(
      server.databaseUrl,
      "select shop_id, role from memberships join staff on id = staff_id where email = $1 order by role",
      [email],
    );

  it("add creates an account with the given password", async () => {
    const { code, stdout, stderr } = await run(add("new@example.com", "MANAGER"), `${PASSWORD}\r\nmore\n`);
    expect([code, stderr]).to.deep.equal([0, ""]);
    const { data } = await openBrowser(server).logIn({ email: "new@example.com", password: PASSWORD });
    expect(data.logIn.id).to.equal(stdout.trim());
    expect(await rolesOf("new@example.com")).to.deep.equal([{ shop_id: shop.id, role: "MANAGER" }]);
    const audit = await query(
      server.databaseUrl,
      "select actor_kind, actor_id, target_name, details from audit_entries where action = 'MEMBER_ADDED'",
    );
    expect(audit).to.deep.equal([
      { actor_kind: "OPERATOR", actor_id: null, target_name: "new@example.com", details: { role: "MANAGER" } },
    ]);
  });

  it("add refuses an existing account without --account", async () => {
    const { id, email } = await buildStaff(server.em, await buildShop(server.em));
    const other = await buildStaff(server.em, shop);
    const unnamed = await run(add(email.toUpperCase(), "OWNER"), PASSWORD);
    expect([unnamed.code, unnamed.stdout]).to.deep.equal([1, ""]);
    expect(unnamed.stderr).to.match(
      new RegExp(`^The email address .* already has the account ${id}, created at [^]*--account ${id}\\.`),
    );
    expect(unnamed.stderr).to.match(/ staff password, [^]* staff reset-second-factor\.\n$/);
    for (const [address, account] of [
      [email, other.id],
      [email, ""],
      ["nobody@example.com", id],
    ] as const) {
      const { code, stderr } = await run(add(address, "OWNER", ["--account", account]), PASSWORD);
      expect([code, stderr]).to.deep.equal([1, `${account} is not the account of ${address}\n`]);
    }
    expect(await rolesOf(email)).to.have.length(1);
    expect(await rolesOf("nobody@example.com")).to.deep.equal([]);
  });

  it("add prints the account before it asks for a password", async () => {
    const { id, email } = await buildStaff(server.em, await buildShop(server.em));
    const { stderr } = await run(add(email, "CLERK"));
    expect(stderr).to.include(id).and.not.to.include("password on standard input");
  });

  it("add joins the named account without a password", async () => {
    const elsewhere = await buildShop(server.em);
    const staff = await buildStaff(server.em, elsewhere);
    const named = ["--account", staff.id];
    const { code, stdout, stderr } = await run(add(staff.email.toUpperCase(), "CLERK", named));
    expect([code, stdout, stderr]).to.deep.equal([0, `${staff.id}\n`, ""]);
    expect(await rolesOf(staff.email)).to.deep.equal([
      { shop_id: shop.id, role: "CLERK" },
      { shop_id: elsewhere.id, role: "OWNER" },
    ]);
    expect(codesOf(await openBrowser(server).logIn(staff))).to.deep.equal([]);
    const again = await run(add(staff.email, "OWNER", named));
    expect([again.code, again.stderr]).to.deep.equal([1, `${staff.email} is already a member of this shop\n`]);
  });

  it("add refuses an account created while the password is typed", async () => {
    const { email } = await buildStaff(server.em, await buildShop(server.em));
    const adding = addMember({ em: server.em, shop, actor: operator }, { email, role: Role.OWNER, password: PASSWORD });
    expect(await adding.catch((error: unknown) => error)).to.be.instanceOf(OperatorError);
    expect(await rolesOf(email)).to.have.length(1);
  });

  it("add --invite prints a link without email, where they choose a password", async () => {
    const command = add("guest@example.com", "VIEWER", ["--invite"]);
    const { code, stdout, stderr } = await run(command, "", { NODE_ENV: "production" });
    expect(code).to.equal(0);
    const [, token] = /^https:\/\/api\.shop\.example\/admin\/join#([\w-]{43})\n$/.exec(stdout)!;
    expect(stderr).to.include("Anyone with the link can join within 7 days").and.not.to.include(token);
    const { data } = await openBrowser(server).ask(
      "mutation ($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) { email } }",
      { token, password: PASSWORD },
    );
    expect(data.acceptInvitation.email).to.equal("guest@example.com");
    expect(await rolesOf("guest@example.com")).to.deep.equal([{ shop_id: shop.id, role: "VIEWER" }]);
  });

  it("add --invite prints no link with email, and leaves a job for the worker", async () => {
    const { code, stdout, stderr } = await run(add("mailed@example.com", "VIEWER", ["--invite"]), "", {
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "merchant@example.com",
      ENCRYPTION_KEYS: `a:${randomBytes(32).toString("base64")}`,
    });
    expect([code, stdout]).to.deep.equal([0, ""]);
    expect(stderr).to.include("The worker emails an invitation to mailed@example.com");
    const jobs = await mailJobs(server.databaseUrl);
    expect(jobs.map(({ payload }) => payload.mail)).to.deep.equal(["INVITATION"]);
  });

  it("password sets a new one and ends every session", async () => {
    const staff = await buildStaff(server.em, shop, Role.CLERK);
    const browser = openBrowser(server);
    await browser.logIn(staff);
    const { code, stdout, stderr } = await run(["password", "--email", staff.email.toUpperCase()], PASSWORD);
    expect([code, stdout]).to.deep.equal([0, ""]);
    expect(JSON.parse(stderr)).to.deep.include({ event: "password_changed", address: null });
    expect(stderr).not.to.match(/@/);
    expect((await browser.ask("{ viewer { id } }")).data.viewer).to.equal(null);
    const audited = await query(
      server.databaseUrl,
      "select shop_id, actor_kind, target_name, details from audit_entries where action = 'MEMBER_PASSWORD_SET'",
    );
    const target = { target_name: staff.email, details: {} };
    expect(audited).to.deep.equal([{ shop_id: shop.id, actor_kind: "OPERATOR", ...target }]);
    expect(codesOf(await openBrowser(server).logIn(staff))).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(codesOf(await openBrowser(server).logIn({ ...staff, password: PASSWORD }))).to.deep.equal([]);
  });

  it("reset-second-factor turns two-factor authentication off and ends every session", async () => {
    const staff = await buildStaff(server.em, shop, Role.CLERK);
    const browser = openBrowser(server);
    await browser.logIn(staff);
    await enroll(browser, staff);
    const reset = ["reset-second-factor", "--json", "--email", staff.email.toUpperCase()];
    const { stdout, stderr } = await run(reset);
    expect(JSON.parse(stdout)).to.deep.equal({ id: staff.id, email: staff.email, sessionsEnded: 1 });
    expect(JSON.parse(stderr)).to.deep.include({ event: "second_factor_disabled", address: null, sessions: 1 });
    expect(stderr).not.to.match(/@/);
    expect((await browser.ask("{ viewer { id } }")).data.viewer).to.equal(null);
    const audited = await query(
      server.databaseUrl,
      "select actor_kind, target_name from audit_entries where action = 'MEMBER_SECOND_FACTOR_DISABLED'",
    );
    expect(audited).to.deep.equal([{ actor_kind: "OPERATOR", target_name: staff.email }]);
    expect(codesOf(await openBrowser(server).logIn(staff))).to.deep.equal([]);
    expect((await run(reset)).stderr).to.equal("Two-factor authentication is not on\n");
  });

  it("password leaves two-factor authentication on", async () => {
    const staff = await buildStaff(server.em, shop, Role.CLERK);
    await buildFactor(server, staff);
    await run(["password", "--email", staff.email], PASSWORD);
    const answer = await openBrowser(server).logIn({ ...staff, password: PASSWORD });
    expect(codesOf(answer)).to.deep.equal(["SECOND_FACTOR_REQUIRED"]);
  });

  it("refuses guessable passwords", async () => {
    const { email } = await buildStaff(server.em, shop, Role.CLERK);
    for (const [command, typed] of [
      [["password", "--email", email], "passwordpassword"],
      [add("harbour@example.com", "CLERK"), "harbour@example.com"],
    ] as const) {
      const { code, stderr } = await run([...command], typed);
      expect([code, stderr.includes("password: Is too easy to guess")], stderr).to.deep.equal([1, true]);
    }
    expect(await rolesOf("harbour@example.com")).to.deep.equal([]);
  });

  it("reports mistakes without a stack, those in options before it asks for a password, and changes nothing", async () => {
    const before = await query(server.databaseUrl, "select id, password_hash from staff");
    const { email } = await buildStaff(server.em, shop, Role.CLERK);
    for (const [command, typed, message] of [
      [add("x", "BOSS"), "", /--email: .*\n {2}--role: Must be one of OWNER/],
      [add("x@example.com", "CLERK"), "", /No password on standard input/],
      [["add", "--shop", "shop_x", "--email", "x@example.com", "--role", "CLERK"], "", /Shop not found/],
      [["password", "--email", "nobody@example.com"], "", /No account has this email address/],
      [["password", "--email", email], "short", /at least 12/],
    ] as const) {
      const { code, stdout, stderr } = await run([...command], typed);
      expect([code, stdout], stderr).to.deep.equal([1, ""]);
      expect(stderr).to.match(message);
      expect(stderr).not.to.match(/ at .*\.ts/);
    }
    expect(await query(server.databaseUrl, "select id, password_hash from staff")).to.have.length(before.length + 1);
  });
});
