import { expect } from "chai";
import { codesOf, openBrowser, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildStaff, type TestStaff } from "../../support/factories.ts";
import {
  logInFrom,
  someAddress,
  tally,
  times,
  unknown,
  type Account,
  wrong,
  fillUp,
  attack,
} from "../../support/staff/logins.ts";
import { useWorld } from "../../support/world.ts";

describe("A login from a known browser", () => {
  const { server, shop, staff: owner } = useWorld({ config: { trustedProxies: 1 } });

  async function openKnownBrowser(account: Account, address = someAddress()) {
    const browser = openBrowser(server, { "x-forwarded-for": address });
    expect(codesOf(await browser.logIn(account))).to.deep.equal([]);
    return browser;
  }

  const changePassword = (browser: TestBrowser, currentPassword: string) =>
    browser.send("changePassword", { currentPassword, newPassword: "a wholly new password" });
  const guessesOf = ({ id }: TestStaff) =>
    query(server.databaseUrl, "select guesses from known_devices where staff_id = $1", [id]);
  const setGuesses = (guesses: number) =>
    query(server.databaseUrl, "update known_devices set guesses = $2::int where staff_id = $1", [
      owner.id,
      String(guesses),
    ]);

  it("works while the account is under attack", async () => {
    const address = someAddress();
    const browser = await openKnownBrowser(owner, address);
    await attack(server, owner);
    await tally(times(10, () => logInFrom(server, address, wrong(owner))));
    expect(codesOf(await logInFrom(server, address, owner))).to.deep.equal(["RATE_LIMITED"]);
    for (let turn = 0; turn < 3; turn += 1) expect(codesOf(await browser.logIn(owner))).to.deep.equal([]);
  });

  it("has its own ten attempts", async () => {
    const address = someAddress();
    const browser = await openKnownBrowser(owner, address);
    const guesses = times(12, () => browser.logIn(wrong(owner)));
    expect(await tally(guesses)).to.deep.equal({ INVALID_CREDENTIALS: 10, RATE_LIMITED: 2 });
    expect(codesOf(await logInFrom(server, address, owner))).to.deep.equal([]);
  });

  it("works while its address is at the limit, and so does an open session", async () => {
    const address = someAddress();
    const browser = await openKnownBrowser(owner, address);
    await fillUp(server, () => times(2, () => logInFrom(server, address, unknown())));
    expect(codesOf(await logInFrom(server, address, owner))).to.deep.equal(["RATE_LIMITED"]);
    expect(codesOf(await browser.logIn(wrong(owner)))).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(codesOf(await browser.logIn(owner))).to.deep.equal([]);
    browser.cookies.delete("device");
    expect(codesOf(await changePassword(browser, "a wrong password"))).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(codesOf(await changePassword(browser, owner.password))).to.deep.equal([]);
  });

  it("does not count for its address", async () => {
    const browser = await openKnownBrowser(owner);
    await query(server.databaseUrl, "delete from login_attempts");
    await tally(times(3, () => browser.logIn(wrong(owner))));
    // Its own counter, and that of audited refusals.
    const counts = await query(server.databaseUrl, "select attempts from login_attempts order by attempts desc");
    expect(counts).to.deep.equal([{ attempts: 3 }, { attempts: 1 }]);
  });

  it("counts as unknown after a hundred wrong passwords in a row", async () => {
    const browser = await openKnownBrowser(owner);
    await setGuesses(99);
    expect(codesOf(await browser.logIn(owner))).to.deep.equal([]);
    await setGuesses(99);
    await attack(server, owner);
    expect(codesOf(await browser.logIn(wrong(owner)))).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(codesOf(await browser.logIn(owner))).to.deep.equal(["RATE_LIMITED"]);
  });

  it("accepts at most a hundred of them, also while another login renews the token", async () => {
    const other = await buildStaff(server.em, shop);
    const browser = await openKnownBrowser(owner);
    await setGuesses(97);
    const copy = openBrowser(server, { "x-forwarded-for": someAddress() });
    copy.cookies.set("device", browser.cookies.get("device")!);
    await Promise.all([...times(6, () => copy.logIn(wrong(owner))), browser.logIn(other)]);
    await attack(server, owner);
    const guesses = await Promise.all(times(6, () => browser.logIn(wrong(owner))));
    const [{ guesses: counted }] = (await guessesOf(owner)) as [{ guesses: number }];
    expect(counted).to.equal(100);
    expect(guesses.flatMap(codesOf)).to.include("RATE_LIMITED");
  });

  it("preserves the count when someone else logs in", async () => {
    const other = await buildStaff(server.em, shop);
    const browser = await openKnownBrowser(owner);
    for (const guesses of [1, 2]) {
      await browser.logIn(wrong(owner));
      await browser.logIn(other);
      expect(await guessesOf(owner)).to.deep.equal([{ guesses }]);
      expect(await guessesOf(other)).to.deep.equal([{ guesses: 0 }]);
    }
    await browser.logIn(owner);
    expect(await guessesOf(owner)).to.deep.equal([{ guesses: 0 }]);
  });

  it("is known for one account only", async () => {
    const browser = await openKnownBrowser(await buildStaff(server.em, shop));
    await attack(server, owner);
    expect(codesOf(await browser.logIn(owner))).to.deep.equal(["RATE_LIMITED"]);
  });

  it("stays known for each account", async () => {
    const other = await buildStaff(server.em, shop);
    const browser = await openKnownBrowser(owner);
    await browser.logIn(other);
    await attack(server, owner);
    expect(codesOf(await browser.logIn(owner))).to.deep.equal([]);
  });

  it("requires the newest token, within a year", async () => {
    const browser = await openKnownBrowser(owner);
    const old = browser.cookies.get("device")!;
    await browser.logIn(owner);
    await attack(server, owner);
    const copy = openBrowser(server, { "x-forwarded-for": someAddress() });
    copy.cookies.set("device", old);
    expect(codesOf(await copy.logIn(owner))).to.deep.equal(["RATE_LIMITED"]);
    await query(
      server.databaseUrl,
      "update known_devices set last_used_at = now() - interval '366 days' where staff_id = $1",
      [owner.id],
    );
    expect(codesOf(await browser.logIn(owner))).to.deep.equal(["RATE_LIMITED"]);
  });
});
