import { expect } from "chai";
import { URI } from "otpauth";
import { codesOf, issuesOf, openBrowser, openBrowserAs, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { begin, codeOf, confirm, enroll, forgetCodes, wrongCode } from "../../support/staff/second-factor.ts";
import { useWorld } from "../../support/world.ts";

const VIEWER = "{ viewer { id hasSecondFactor } }";

describe("Two-factor authentication", () => {
  const world = useWorld();
  const { server, shop, staff } = world;
  let browser: TestBrowser;

  beforeEach("log in", async () => {
    browser = await world.browser();
  });

  const openAs = (account: TestStaff & { code?: string }) => openBrowserAs(server, account);

  const rows = <Row>(text: string, values: unknown[] = [staff.id]) => query<Row>(server.databaseUrl, text, values);
  const isOn = async () => (await browser.ask(VIEWER)).data.viewer.hasSecondFactor;
  const auditOf = (shopId: string) =>
    rows<{ action: string; actor_id: string; target_id: string; target_name: string; details: unknown }>(
      "select action, actor_id, target_id, target_name, details from audit_entries where shop_id = $1 and action <> 'MEMBER_LOGGED_IN' order by id",
      [shopId],
    );
  const entry = (action: string) => ({
    action,
    actor_id: staff.id,
    target_id: staff.id,
    target_name: staff.email,
    details: {},
  });

  describe("is set up", () => {
    it("with an otpauth URI that contains the secret", async () => {
      const { uri, secret } = (await begin(browser, staff.password)).data.beginSecondFactor;
      expect(secret).to.match(/^[A-Z2-7]{32}$/);
      expect(new URL(uri).searchParams.get("secret")).to.equal(secret);
      expect(URI.parse(uri)).to.deep.include({
        issuer: "Merchant API",
        label: staff.email,
        algorithm: "SHA1",
        digits: 6,
        period: 30,
      });
    });

    it("with the password, and is not yet required", async () => {
      expect(codesOf(await begin(browser, "a wrong password"))).to.deep.equal(["INVALID_CREDENTIALS"]);
      expect(await rows("select 1 from second_factors where staff_id = $1")).to.deep.equal([]);
      await begin(browser, staff.password);
      expect(await isOn()).to.equal(false);
      expect(codesOf(await openBrowser(server).logIn(staff))).to.deep.equal([]);
      expect(await auditOf(shop.id)).to.deep.equal([]);
    });

    it("again before its confirmation, which replaces the secret", async () => {
      const first = (await begin(browser, staff.password)).data.beginSecondFactor.secret;
      const { secret } = (await begin(browser, staff.password)).data.beginSecondFactor;
      expect(codesOf(await confirm(browser, codeOf(first)))).to.deep.equal(["INVALID_SECOND_FACTOR"]);
      expect(codesOf(await confirm(browser, codeOf(secret)))).to.deep.equal([]);
      expect(codesOf(await begin(browser, staff.password))).to.deep.equal(["INVALID_STATE"]);
      expect(codesOf(await confirm(browser, codeOf(secret, 1)))).to.deep.equal(["INVALID_STATE"]);
    });
  });

  describe("is confirmed", () => {
    it("with a code, and recorded in the audit log of each shop", async () => {
      const other = await buildShop(server.em);
      await rows("insert into memberships values ($1, $2, 'CLERK', now())", [other.id, staff.id]);
      const colleague = await buildStaff(server.em, shop);
      await enroll(browser, staff);
      expect(await isOn()).to.equal(true);
      const [own, theirs] = await world.run("members");
      expect(own).to.include({ id: staff.id, hasSecondFactor: true });
      expect(theirs).to.include({ id: colleague.id, hasSecondFactor: false });
      for (const { id } of [shop, other]) {
        expect(await auditOf(id)).to.deep.equal([entry("MEMBER_SECOND_FACTOR_ENABLED")]);
      }
    });

    it("with ten recovery codes, stored as digests, beside the encrypted secret", async () => {
      const { secret, recoveryCodes } = await enroll(browser, staff);
      expect(new Set(recoveryCodes)).to.have.length(10);
      for (const code of recoveryCodes) expect(code).to.match(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
      const kept = JSON.stringify([
        await rows("select f::text from second_factors f where staff_id = $1"),
        await rows("select r::text from recovery_codes r where staff_id = $1"),
      ]);
      expect(kept.match(/\\\\\\\\x[0-9a-f]{64}/g)).to.have.length(10);
      for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll("-", ""))]) {
        expect(kept).not.to.include(text);
        expect(kept).not.to.include(Buffer.from(text).toString("hex"));
      }
    });

    it("and ends sessions that were opened with the password alone, except this one", async () => {
      const other = await openAs(staff);
      await enroll(browser, staff);
      expect((await other.ask(VIEWER)).data.viewer).to.equal(null);
      expect(await isOn()).to.equal(true);
    });

    it("only with a correct code after the setup", async () => {
      expect(codesOf(await confirm(browser, "123456"))).to.deep.equal(["INVALID_STATE"]);
      const { secret } = (await begin(browser, staff.password)).data.beginSecondFactor;
      for (const code of [wrongCode(secret), "", "12345", codeOf(secret, 3), codeOf(secret, -3)]) {
        expect(codesOf(await confirm(browser, code)), code).to.deep.equal(["INVALID_SECOND_FACTOR"]);
      }
      expect(await rows("select wrong_codes from second_factors where staff_id = $1")).to.deep.equal([
        { wrong_codes: 5 },
      ]);
      expect(await isOn()).to.equal(false);
      expect(issuesOf(await confirm(browser, "1".repeat(65)))).to.deep.equal(["code"]);
    });

    it("within 15 minutes", async () => {
      const pass = (time: string) =>
        rows(`update second_factors set expires_at = expires_at - interval '${time}' where staff_id = $1`);
      const first = (await begin(browser, staff.password)).data.beginSecondFactor.secret;
      await pass("15 minutes");
      const { errors } = await confirm(browser, codeOf(first));
      expect(errors[0]).to.deep.include({ message: "No two-factor setup was started in the last 15 minutes" });
      expect(codesOf({ errors })).to.deep.equal(["INVALID_STATE"]);
      expect(await isOn()).to.equal(false);
      const { secret } = (await begin(browser, staff.password)).data.beginSecondFactor;
      await pass("14 minutes");
      expect(codesOf(await confirm(browser, codeOf(secret)))).to.deep.equal([]);
      expect(await rows("select expires_at from second_factors where staff_id = $1")).to.deep.equal([
        { expires_at: null },
      ]);
    });

    it("once with concurrent requests", async () => {
      const { secret } = (await begin(browser, staff.password)).data.beginSecondFactor;
      const code = codeOf(secret);
      const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(browser, code)));
      expect(answers.filter(({ errors }) => errors.length === 0)).to.have.length(1);
      expect(await rows("select 1 from recovery_codes where staff_id = $1")).to.have.length(10);
    });

    it("with the newest secret, also concurrently", async () => {
      const { secret } = (await begin(browser, staff.password)).data.beginSecondFactor;
      const [confirmed, begun] = await Promise.all([confirm(browser, codeOf(secret)), begin(browser, staff.password)]);
      const works = confirmed.errors.length === 0;
      // A second setup is refused if the other request ends meanwhile, and needs a code if it ended before.
      expect(codesOf(begun)).to.be.deep.oneOf(works ? [["INVALID_STATE"], ["SECOND_FACTOR_REQUIRED"]] : [[]]);
      expect(await isOn()).to.equal(works);
      if (works) await openAs({ ...staff, code: codeOf(secret, 1) });
    });
  });

  describe("is turned off", () => {
    const disable = (password: string, code: string) => browser.send("disableSecondFactor", { password, code });

    it("with the password and a code, and is then not required", async () => {
      const { secret, usedCode } = await enroll(browser, staff);
      expect(codesOf(await disable("a wrong password", codeOf(secret, 1)))).to.deep.equal(["INVALID_CREDENTIALS"]);
      expect(codesOf(await disable(staff.password, wrongCode(secret)))).to.deep.equal(["INVALID_SECOND_FACTOR"]);
      expect(codesOf(await disable(staff.password, usedCode))).to.deep.equal(["INVALID_SECOND_FACTOR"]);
      expect(await isOn()).to.equal(true);
      expect((await disable(staff.password, codeOf(secret, 1))).data).to.deep.equal({ disableSecondFactor: true });
      expect(await isOn()).to.equal(false);
      await openAs(staff);
      expect((await auditOf(shop.id)).at(-1)).to.deep.equal(entry("MEMBER_SECOND_FACTOR_DISABLED"));
      for (const table of ["second_factors", "recovery_codes"]) {
        expect(await rows(`select 1 from ${table} where staff_id = $1`)).to.deep.equal([]);
      }
    });

    it("with a recovery code too", async () => {
      const { recoveryCodes } = await enroll(browser, staff);
      expect(codesOf(await disable(staff.password, recoveryCodes[3]!))).to.deep.equal([]);
      expect(await isOn()).to.equal(false);
    });

    it("only when it is on", async () => {
      expect(codesOf(await disable(staff.password, "123456"))).to.deep.equal(["INVALID_STATE"]);
    });
  });

  it("gets new recovery codes, which replace the old ones", async () => {
    const { secret, recoveryCodes } = await enroll(browser, staff);
    const regenerate = (password: string, code: string) => browser.send("regenerateRecoveryCodes", { password, code });
    expect(codesOf(await regenerate(staff.password, wrongCode(secret)))).to.deep.equal(["INVALID_SECOND_FACTOR"]);
    const { data } = await regenerate(staff.password, codeOf(secret, 1));
    const next: string[] = data.regenerateRecoveryCodes;
    expect(new Set([...recoveryCodes, ...next])).to.have.length(20);
    const refused = await openBrowser(server).logIn({ ...staff, code: recoveryCodes[0] });
    expect(codesOf(refused)).to.deep.equal(["INVALID_SECOND_FACTOR"]);
    await openAs({ ...staff, code: next[0] });
    expect((await auditOf(shop.id)).map(({ action }) => action).slice(1)).to.deep.equal([
      "MEMBER_RECOVERY_CODES_REPLACED",
      "MEMBER_RECOVERY_CODE_USED",
    ]);
    await forgetCodes(server, staff);
    await browser.send("disableSecondFactor", { password: staff.password, code: codeOf(secret) });
    expect(codesOf(await regenerate(staff.password, codeOf(secret)))).to.deep.equal(["INVALID_STATE"]);
  });
});
