import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, issuesOf, openBrowser, openBrowserAs } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { logInFrom, someAddress, tally, times, wrong } from "../../support/staff/logins.ts";
import { buildFactor, codeOf, forgetCodes, wrongCode, type TestFactor } from "../../support/staff/second-factor.ts";
import { logInDuring } from "../../support/staff/overtaken-login.ts";
import { buildInvitation } from "../../support/staff/invitations.ts";
import { useWorld } from "../../support/world.ts";

const VIEWER = "{ viewer { id } }";
const NEW_PASSWORD = "a wholly new password";

describe("A login with two-factor authentication", () => {
  const { server, shop, staff, sql } = useWorld({ config: { trustedProxies: 1 } });
  let factor: TestFactor;

  beforeEach(async () => {
    factor = await buildFactor(server, staff);
    await query(server.databaseUrl, "delete from login_attempts");
  });

  const logIn = async (code?: string, address = someAddress()) =>
    codesOf(await logInFrom(server, address, { ...staff, code }))[0] ?? "in";
  const current = () => codeOf(factor.secret);
  const badCode = () => wrongCode(factor.secret);

  const openAs = (account: TestStaff & { code?: string }) => openBrowserAs(server, account);

  it("accepts the password and then the code, or both at once", async () => {
    const browser = openBrowser(server);
    const { data, errors } = await browser.logIn(staff);
    expect(data).to.equal(null);
    expect(errors[0]).to.deep.include({ message: "This account uses two-factor authentication" });
    expect(errors[0]!.extensions).to.have.keys("code", "hint");
    expect(errors[0]!.extensions.code).to.equal("SECOND_FACTOR_REQUIRED");
    expect(browser.cookies.size).to.equal(0);
    expect((await browser.logIn({ ...staff, code: current() })).data.logIn.id).to.equal(staff.id);
    expect((await browser.ask(VIEWER)).data.viewer.id).to.equal(staff.id);
  });

  it("accepts a code one step early or late, and no other", async () => {
    for (const steps of [-3, 3]) expect(await logIn(codeOf(factor.secret, steps))).to.equal("INVALID_SECOND_FACTOR");
    for (const steps of [0, 1]) expect(await logIn(codeOf(factor.secret, steps))).to.equal("in");
  });

  it("accepts codes with spaces", async () => {
    expect(await logIn(` ${current().slice(0, 3)} ${current().slice(3)} `)).to.equal("in");
    expect(await logIn(factor.recoveryCodes[0]!.toUpperCase().replaceAll("-", " "))).to.equal("in");
  });

  it("accepts each code once, also concurrently", async () => {
    const code = current();
    const answers = times(8, () => logInFrom(server, someAddress(), { ...staff, code }));
    expect(await tally(answers)).to.deep.equal({ in: 1, INVALID_SECOND_FACTOR: 7 });
    expect(await logIn(code)).to.equal("INVALID_SECOND_FACTOR");
  });

  it("accepts each recovery code once instead of a code", async () => {
    const [first, second] = factor.recoveryCodes;
    const answers = times(8, () => logInFrom(server, someAddress(), { ...staff, code: first! }));
    expect(await tally(answers)).to.deep.equal({ in: 1, INVALID_SECOND_FACTOR: 7 });
    expect(await logIn(second)).to.equal("in");
    const stranger = await buildFactor(server, await buildStaff(server.em, shop));
    expect(await logIn(stranger.recoveryCodes[0])).to.equal("INVALID_SECOND_FACTOR");
    expect(await logIn(codeOf(stranger.secret))).to.equal("INVALID_SECOND_FACTOR");
    const text =
      "select count(*)::int as used from audit_entries where action = 'MEMBER_RECOVERY_CODE_USED' and shop_id = $1";
    expect(await sql(text)).to.deep.equal([{ used: 2 }]);
  });

  it("reveals nothing without the password", async () => {
    const plain = await buildStaff(server.em, shop);
    for (const code of [undefined, badCode(), current(), factor.recoveryCodes[0]]) {
      const answers = await Promise.all(
        [staff, plain].map((account) => logInFrom(server, someAddress(), { ...wrong(account), code })),
      );
      expect(answers[0]!.errors).to.deep.equal(answers[1]!.errors);
      expect(codesOf(answers[0]!)).to.deep.equal(["INVALID_CREDENTIALS"]);
    }
    expect(await logIn(current())).to.equal("in");
    expect(await logIn(factor.recoveryCodes[0])).to.equal("in");
  });

  it("is required of known devices too", async () => {
    const browser = openBrowser(server);
    await browser.logIn({ ...staff, code: current() });
    expect(browser.cookies.has("device")).to.equal(true);
    expect(codesOf(await browser.logIn(staff))).to.deep.equal(["SECOND_FACTOR_REQUIRED"]);
  });

  it("counts a wrong code like a wrong password, also concurrently", async () => {
    const address = someAddress();
    const code = badCode();
    const guesses = times(15, () => logInFrom(server, address, { ...staff, code }));
    expect(await tally(guesses)).to.deep.equal({ INVALID_SECOND_FACTOR: 10, RATE_LIMITED: 5 });
    expect(await logIn(current(), address)).to.equal("RATE_LIMITED");
    expect(await logIn(current())).to.equal("in");
  });

  it("does not count a correct password without a code", async () => {
    const address = someAddress();
    for (let turn = 0; turn < 12; turn += 1) expect(await logIn(undefined, address)).to.equal("SECOND_FACTOR_REQUIRED");
    expect(await logIn(current(), address)).to.equal("in");
  });

  it("accepts only recovery codes after a hundred wrong codes in a row", async () => {
    const count = "update second_factors set wrong_codes = $2 where staff_id = $1";
    await query(server.databaseUrl, count, [staff.id, 98]);
    const code = badCode();
    const guesses = times(5, () => logInFrom(server, someAddress(), { ...staff, code }));
    expect(await tally(guesses)).to.deep.equal({ INVALID_SECOND_FACTOR: 5 });
    expect(await logIn(current())).to.equal("INVALID_SECOND_FACTOR");
    expect(await logIn(factor.recoveryCodes[0])).to.equal("in");
    expect(await logIn(current())).to.equal("in");
  });

  it("resets the count after a correct code", async () => {
    await logIn(badCode());
    await logIn(current());
    const text = "select wrong_codes from second_factors where staff_id = $1";
    expect(await query(server.databaseUrl, text, [staff.id])).to.deep.equal([{ wrong_codes: 0 }]);
  });

  it("ignores a code without two-factor authentication", async () => {
    const plain = await buildStaff(server.em, shop);
    await openAs({ ...plain, code: "123456" });
    expect(issuesOf(await logInFrom(server, someAddress(), { ...plain, code: "1".repeat(65) }))).to.deep.equal([
      "code",
    ]);
  });

  it("is refused if two-factor authentication was turned on meanwhile", async () => {
    const plain = await buildStaff(server.em, shop);
    const login = await logInDuring(server, plain, "update staff set second_factor_at = now() where id = $1");
    expect(codesOf(login)).to.deep.equal(["INVALID_CREDENTIALS"]);
    const rows = await query(server.databaseUrl, "select 1 from sessions where staff_id = $1", [plain.id]);
    expect(rows).to.deep.equal([]);
  });

  it("is required to accept an invitation with an existing account", async () => {
    const elsewhere = await buildShop(server.em);
    const token = await buildInvitation(server, elsewhere.id, operator, { email: staff.email, role: Role.CLERK });
    const accept = async (code?: string, password = staff.password) =>
      codesOf(await openBrowser(server).send("acceptInvitation", { token, password, code }));
    expect(await accept()).to.deep.equal(["SECOND_FACTOR_REQUIRED"]);
    expect(await accept(badCode())).to.deep.equal(["INVALID_SECOND_FACTOR"]);
    expect(await accept(current(), "a wrong password")).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(await accept(current())).to.deep.equal([]);
  });

  it("is required to change the password", async () => {
    const browser = await openAs({ ...staff, code: current() });
    await forgetCodes(server, staff);
    const change = async (code?: string, newPassword = NEW_PASSWORD) =>
      codesOf(await browser.send("changePassword", { currentPassword: staff.password, newPassword, code }));
    expect(await change()).to.deep.equal(["SECOND_FACTOR_REQUIRED"]);
    expect(await change(badCode())).to.deep.equal(["INVALID_SECOND_FACTOR"]);
    const code = current();
    expect(await change(code, "passwordpassword"), "uses no code up").to.deep.equal(["VALIDATION_FAILED"]);
    expect(await change(code)).to.deep.equal([]);
    expect((await browser.ask(VIEWER)).data.viewer.id).to.equal(staff.id);
    staff.password = NEW_PASSWORD;
    expect(await logIn()).to.equal("SECOND_FACTOR_REQUIRED");
  });

  it("allows ten wrong codes per session", async () => {
    const browser = await openAs({ ...staff, code: current() });
    const change = { currentPassword: staff.password, newPassword: NEW_PASSWORD, code: badCode() };
    const guesses = times(12, () => browser.send("changePassword", change));
    expect(await tally(guesses)).to.deep.equal({ INVALID_SECOND_FACTOR: 10, RATE_LIMITED: 2 });
  });
});
