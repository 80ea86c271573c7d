import { expect } from "chai";
import { useAdminPages } from "./admin-pages.ts";
import { operator } from "../../src/core/access/author.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { codesOf, openBrowser, openBrowserAs } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { tokenIn } from "../support/mail/mail-jobs.ts";
import { mailsThrough, useMailServer } from "../support/mail/mail-server.ts";
import { buildInvitation } from "../support/staff/invitations.ts";
import { buildFactor, codeOf, wrongCode } from "../support/staff/second-factor.ts";

const PASSWORD = "a lantern over the quay";

describe(`Admin's log-in in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  let shop: Shop;
  let owner: TestStaff;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    owner = await buildStaff(pages.server.em, shop);
  });

  async function logIn(): Promise<void> {
    await pages.fill("E-mail", owner.email);
    await pages.fill("Password", owner.password);
    await pages.press("Log in");
  }

  it("asks for the second factor of an account that has one", async () => {
    const { secret } = await buildFactor(pages.server, owner);
    await pages.open("/login");
    await logIn();
    await pages.fill("Code", wrongCode(secret));
    await pages.press("Log in");
    await pages.page.waitForSelector('[role="alert"]');
    await pages.expectAccessible();
    await pages.fill("Code", codeOf(secret));
    await pages.press("Log in");
    await pages.see("No keys yet");
  });

  it("leads to the log-in when the session has ended, and back with the filters", async () => {
    await pages.openAs(owner, `/${shop.id}/keys?status=REVOKED`);
    await pages.see("No key has this status");
    await (await openBrowserAs(pages.server, owner)).ask("mutation { endOtherSessions }");
    await pages.choose("Status", "Expired");
    await pages.see("Forgot your password?");
    await logIn();
    await pages.see("No key has this status");
    expect(pages.page.url()).to.equal(`${pages.server.url}/admin/${shop.id}/keys?status=EXPIRED`);
  });

  it("leads from an address that needs a session to the log-in, and back", async () => {
    await pages.open(`/${shop.id}/keys?status=REVOKED`);
    await logIn();
    await pages.see("No key has this status");
  });

  for (const next of ["//example.com", "https://example.com/", "/\\example.com", "javascript:alert(1)"]) {
    it(`leads nowhere else by the address ${next}`, async () => {
      await pages.open(`/login?next=${encodeURIComponent(next)}`);
      await logIn();
      await pages.see("No keys yet");
      expect(pages.page.url()).to.equal(`${pages.server.url}/admin/${shop.id}/keys`);
    });
  }

  it("says that no mail is sent where none is", async () => {
    await pages.open("/login");
    await pages.press("Forgot your password?");
    await pages.fill("E-mail", owner.email);
    await pages.press("Send the link");
    await pages.see("This service does not send email");
  });
});

describe(`A forgotten password in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const mailServer = useMailServer();
  const pages = useAdminPages({ worker: true, config: mailsThrough(mailServer) });

  it("is replaced by the link of a mail, which works once", async () => {
    const shop = await buildShop(pages.server.em);
    const owner = await buildStaff(pages.server.em, shop);
    await pages.open("/login");
    await pages.press("Forgot your password?");
    await pages.see("Send the link");
    await pages.expectAccessible();
    await pages.fill("E-mail", owner.email);
    await pages.press("Send the link");
    await pages.see("Check your mail");
    const [mail] = await eventually(
      async () => mailServer.to(owner.email),
      (mails) => mails.length > 0,
    );
    const path = `/reset#${tokenIn(mail!)}`;
    await pages.open(path);
    await pages.fill("New password", "short");
    await pages.press("Set password");
    await pages.page.waitForSelector('[aria-invalid="true"]');
    await pages.expectAccessible();
    await pages.fill("New password", PASSWORD);
    await pages.press("Set password");
    await pages.see("Your password is set");
    expect(codesOf(await openBrowser(pages.server).logIn({ ...owner, password: PASSWORD }))).to.deep.equal([]);
    await pages.page.reload();
    await pages.fill("New password", `${PASSWORD}, again`);
    await pages.press("Set password");
    await pages.see("This link cannot be used");
    await pages.press("Ask for another link");
    await pages.see("Forgot your password?");
  });
});

describe(`Admin at an address that is not BASE_URL in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const baseUrl = "https://localhost:4443";
  const pages = useAdminPages({ config: { baseUrl } });

  async function expectWayOut(path: string): Promise<void> {
    await pages.open(path);
    await pages.see(`Open Admin at ${baseUrl}`);
    await pages.expectAccessible();
    expect(await pages.page.$$("input")).to.deep.equal([]);
    const link = await pages.page.$eval('a[href^="https://"]', ({ href }) => href);
    expect(link).to.equal(`${baseUrl}/admin${path}`);
  }

  it("names the right one before anybody logs in or asks for a mail", async () => {
    const shop = await buildShop(pages.server.em);
    await buildStaff(pages.server.em, shop);
    for (const path of ["/login", `/login?next=%2F${shop.id}%2Fkeys`, "/reset", "/reset#token"])
      await expectWayOut(path);
  });

  it("names the right one before somebody joins, and leaves the invitation as it was", async () => {
    const shop = await buildShop(pages.server.em);
    const token = await buildInvitation(pages.server, shop.id, operator, {
      email: "new@example.com",
      role: Role.CLERK,
    });
    await expectWayOut(`/join#${token}`);
    const headers = { Origin: pages.server.url };
    const accept = `mutation { acceptInvitation(token: "${token}", password: "${PASSWORD}") { id } }`;
    expect(codesOf(await openBrowser(pages.server, headers).ask(accept))).to.deep.equal(["FOREIGN_ORIGIN"]);
    expect(codesOf(await openBrowser(pages.server).ask(accept))).to.deep.equal([]);
  });
});
