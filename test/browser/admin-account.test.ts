import { expect } from "chai";
import { encode } from "uqr";
import { useAdminPages } from "./admin-pages.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser, openBrowserAs } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildFactor, codeOf, forgetCodes } from "../support/staff/second-factor.ts";
import { useWorld } from "../support/world.ts";
import { copy as account } from "../../admin/account/copy.ts";
import { copy as session } from "../../admin/session/copy.ts";
import { copy as ui } from "../../admin/ui/copy.ts";

const PASSWORD = "a lantern over the quay";
const VIEWER = "{ viewer { hasSecondFactor } }";

/** The dark modules of a text's QR code, each where a page draws it. */
const modulesOf = (text: string) =>
  encode(text, { border: 4 }).data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}`] : [])));

describe(`Admin's account in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const { shop, staff: clerk } = useWorld(pages.server, { name: "Harbour Goods", role: Role.CLERK });

  const logIn = async (credentials: { email: string; password: string; code?: string }) =>
    codesOf(await openBrowser(pages.server).logIn(credentials));
  const openAccount = () => pages.openAs(clerk, `/${shop.id}/account`);

  it("changes the password and stays logged in", async () => {
    await openAccount();
    await pages.press(account.password.change);
    await pages.fill(account.password.current, "not the password");
    await pages.fill(account.password.new, PASSWORD);
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] [role="alert"]');
    await pages.fill(account.password.current, clerk.password);
    await pages.submit();
    await pages.see(account.password.done);
    await pages.page.reload();
    await pages.see(account.sessions.current);
    expect(await logIn(clerk)).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(await logIn({ ...clerk, password: PASSWORD })).to.deep.equal([]);
  });

  it("sets up two-factor authentication and shows the recovery codes once", async () => {
    const { page } = pages;
    await openAccount();
    await pages.press(account.secondFactor.setUp);
    await pages.fill(account.yourPassword, clerk.password);
    await pages.submit();
    await pages.see(account.secondFactor.scanTitle);
    await pages.expectAccessible();
    const uri = await page.$eval('[role=dialog] a[href^="otpauth:"]', (link) => link.getAttribute("href")!);
    const secret = new URL(uri).searchParams.get("secret")!;
    const drawn = await page.$eval('[role=dialog] svg[role="img"] path', (path) => path.getAttribute("d")!);
    expect(drawn.match(/M\d+ \d+/g)).to.deep.equal(modulesOf(uri));
    await pages.press(account.secondFactor.copyKey);
    await pages.see(ui.copied);
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(secret);
    await pages.fill(account.secondFactor.code, codeOf(secret));
    await pages.submit();
    await pages.see(account.recoveryCodes.title);
    const shown = await pages.readSecret();
    const codes = shown.split("\n");
    expect(codes).to.have.length(10);
    await pages.expectAccessible();
    await page.keyboard.press("Escape");
    await pages.confirmSecret();
    await pages.see(account.recoveryCodes.replace);
    for (const gone of [secret, codes[0]!]) expect(await page.content()).not.to.include(gone);
    expect(await logIn(clerk)).to.deep.equal(["SECOND_FACTOR_REQUIRED"]);
    expect(await logIn({ ...clerk, code: codes[0]! })).to.deep.equal([]);
  });

  it("replaces the recovery codes, and turns two-factor authentication off", async () => {
    await openAccount();
    const { secret, recoveryCodes } = await buildFactor(pages.server, clerk);
    await openBrowserAs(pages.server, { ...clerk, code: recoveryCodes[9]! });
    await logInAgain(codeOf(secret));
    await pages.press(account.recoveryCodes.replace);
    await pages.fill(account.yourPassword, clerk.password);
    await pages.fill(session.code.label, recoveryCodes[0]!);
    await pages.submit();
    await pages.see(account.recoveryCodes.title);
    const shown = await pages.readSecret();
    await pages.confirmSecret();
    expect(await logIn({ ...clerk, code: recoveryCodes[1]! })).to.deep.equal(["INVALID_SECOND_FACTOR"]);
    await forgetCodes(pages.server, clerk);
    await pages.press(account.secondFactor.turnOff);
    await pages.fill(account.yourPassword, clerk.password);
    await pages.fill(session.code.label, shown.split("\n")[0]!);
    await pages.submit();
    await pages.see(account.secondFactor.turnedOff);
    const browser = await openBrowserAs(pages.server, clerk);
    expect((await browser.ask(VIEWER)).data.viewer).to.deep.equal({ hasSecondFactor: false });
  });

  /** As the session ended when the second factor was turned on elsewhere. */
  async function logInAgain(code: string): Promise<void> {
    await pages.page.reload();
    await pages.fill(session.email, clerk.email);
    await pages.fill(session.password, clerk.password);
    await pages.press(session.login.submit);
    await pages.fill(session.code.label, code);
    await pages.press(session.login.submit);
    await pages.see(account.recoveryCodes.replace);
  }

  it("lists sessions, ends one, and ends all others", async () => {
    const [one, ...others] = [
      await openBrowserAs(pages.server, clerk),
      await openBrowserAs(pages.server, clerk),
      await openBrowserAs(pages.server, clerk),
    ];
    await openAccount();
    await pages.see("127.0.0.1");
    await pages.expectAccessible();
    // Newest first: the page's own, then those before it.
    const ends = await pages.page.$$("main tbody button");
    expect(ends).to.have.length(3);
    await ends[2]!.click();
    await pages.see(account.sessions.ended);
    expect((await one!.ask(VIEWER)).data.viewer).to.equal(null);
    await pages.press(account.sessions.endOthers);
    await pages.see(account.sessions.othersEnded);
    for (const other of others) expect((await other.ask(VIEWER)).data.viewer).to.equal(null);
  });
});
