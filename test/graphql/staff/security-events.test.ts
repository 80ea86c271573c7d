import { createHash } from "node:crypto";
import { expect } from "chai";
import { pino } from "pino";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { codeOf, enroll, forgetCodes, wrongCode } from "../../support/staff/second-factor.ts";
import { collectLines } from "../../support/telemetry/log-lines.ts";
import { useServer } from "../../support/server.ts";

const digestOf = (email: string) => createHash("sha256").update(email).digest("hex").slice(0, 16);

describe("Security events in the log", () => {
  const { logger, lines } = collectLines("trace");
  const server = useServer({ logger, config: { trustedProxies: 1 } });
  let staff: TestStaff;
  let browser: TestBrowser;
  let visits = 0;

  beforeEach(async () => {
    staff = await buildStaff(server.em, await buildShop(server.em));
    browser = openFrom(`192.0.2.${(visits += 1)}`);
    lines.length = 0;
  });

  const openFrom = (address: string) => openBrowser(server, { "x-forwarded-for": address });

  const events = () => lines.filter(({ event }) => event !== undefined);
  const names = () => events().map(({ event }) => event);

  it("have the event, a digest of the account, the address and the request", async () => {
    const { headers } = await browser.logIn({ ...staff, email: staff.email.toUpperCase() });
    expect(events()).to.have.length(1);
    expect(events()[0]).to.deep.include({
      level: pino.levels.values.info,
      event: "login",
      account: digestOf(staff.email),
      address: `192.0.2.${visits}`,
      requestId: headers.get("x-request-id"),
    });
    expect(JSON.stringify(lines)).not.to.include(staff.email).and.not.to.include(staff.email.toUpperCase());
  });

  it("include refused logins, of existing and unknown accounts alike", async () => {
    for (const email of [staff.email, "nobody@example.com"]) {
      lines.length = 0;
      await browser.logIn({ email, password: "a wrong password" });
      expect(events()).to.have.length(1);
      expect(events()[0]).to.deep.include({
        level: pino.levels.values.warn,
        event: "login_refused",
        account: digestOf(email),
      });
      expect(JSON.stringify(lines)).not.to.include("wrong password").and.not.to.include(email);
    }
  });

  it("include logins of an account with a hash that costs too much, which are refused at once", async () => {
    const other = await buildStaff(server.em, await buildShop(server.em));
    await query(
      server.databaseUrl,
      "update staff set password_hash = regexp_replace(password_hash, 'm=.*,p=1', 'm=3000000,t=50,p=1') where id = $1",
      [staff.id],
    );
    const [refused, ...answers] = await Promise.all([staff, other, other].map((each) => browser.logIn(each)));
    expect(codesOf(refused!)).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(answers.map(codesOf)).to.deep.equal([[], []]);
    const warnings = events().filter(({ level }) => level === pino.levels.values.warn);
    expect(warnings.map(({ event, account }) => [event, account])).to.deep.equal([
      ["password_hash_refused", digestOf(staff.email)],
    ]);
  });

  it("include lock-outs", async () => {
    for (let guess = 0; guess < 10; guess += 1) await browser.logIn({ ...staff, password: `wrong password ${guess}` });
    expect(codesOf(await browser.logIn(staff))).to.deep.equal(["RATE_LIMITED"]);
    expect(names()).to.deep.equal([...Array.from({ length: 10 }, () => "login_refused"), "login_locked_out"]);
    expect(events().at(-1)).to.deep.include({ level: pino.levels.values.warn, account: digestOf(staff.email) });
  });

  it("include password changes, also those refused for a wrong password", async () => {
    await browser.logIn(staff);
    const change = (currentPassword: string) =>
      browser.send("changePassword", { currentPassword, newPassword: "the next long password" });
    await change("a wrong password");
    await change(staff.password);
    expect(names()).to.deep.equal(["login", "login_refused", "password_changed", "login"]);
    expect(new Set(events().map(({ account }) => account))).to.deep.equal(new Set([digestOf(staff.email)]));
    expect(JSON.stringify(lines)).not.to.include("next long password").and.not.to.include(staff.password);
  });

  it("include all changes and uses of two-factor authentication", async () => {
    await browser.logIn(staff);
    lines.length = 0;
    const { secret, recoveryCodes } = await enroll(browser, staff);
    await forgetCodes(server, staff);
    const code = codeOf(secret);
    for (const tried of [undefined, wrongCode(secret), recoveryCodes[0], code]) {
      await browser.logIn({ ...staff, code: tried });
    }
    await forgetCodes(server, staff);
    const proof = { password: staff.password, code: recoveryCodes[1] };
    const again = await browser.send("regenerateRecoveryCodes", proof);
    await browser.send("disableSecondFactor", { ...proof, code });
    expect(names()).to.deep.equal([
      "second_factor_begun",
      "second_factor_enabled",
      "second_factor_asked",
      "second_factor_refused",
      "recovery_code_used",
      "login",
      "login",
      "recovery_code_used",
      "recovery_codes_replaced",
      "second_factor_disabled",
    ]);
    expect(new Set(events().map(({ account }) => account))).to.deep.equal(new Set([digestOf(staff.email)]));
    const warnings = events().filter(({ level }) => level === pino.levels.values.warn);
    expect(new Set(warnings.map(({ event }) => event))).to.deep.equal(
      new Set(["second_factor_refused", "recovery_code_used"]),
    );
    for (const text of [secret, code, ...recoveryCodes, ...(again.data.regenerateRecoveryCodes as string[])]) {
      expect(JSON.stringify(lines)).not.to.include(text).and.not.to.include(text.replaceAll("-", ""));
    }
  });

  it("include ended sessions", async () => {
    for (const other of [openFrom("192.0.2.200"), openFrom("192.0.2.201"), browser]) await other.logIn(staff);
    const tokens = [...browser.cookies.values()];
    lines.length = 0;
    const { data } = await browser.ask("{ viewer { sessions { id isCurrent } } }");
    const other = data.viewer.sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    for (const end of ["endSession", "endSession", "endOtherSessions", "endOtherSessions", "logOut", "logOut"]) {
      await browser.send(end, { id: other.id });
    }
    expect(events().map(({ event, sessions, account }) => [event, sessions, account])).to.deep.equal(
      Array.from({ length: 3 }, () => ["sessions_ended", 1, digestOf(staff.email)]),
    );
    for (const token of tokens) expect(JSON.stringify(lines)).not.to.include(token);
  });

  it("include a member's sessions ended by an owner", async () => {
    const shop = await buildShop(server.em);
    await browser.logIn(await buildStaff(server.em, shop));
    const member = await buildStaff(server.em, shop, Role.CLERK);
    await openFrom("192.0.2.200").logIn(member);
    lines.length = 0;
    for (const _ of [1, 2]) await browser.send("endMemberSessions", { shopId: shop.id, staffId: member.id });
    expect(events()).to.have.length(1);
    const about = { account: digestOf(member.email), address: `192.0.2.${visits}`, sessions: 1 };
    expect(events()[0]).to.deep.include({ event: "sessions_ended", ...about });
  });
});
