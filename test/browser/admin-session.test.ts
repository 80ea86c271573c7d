import { expect } from "chai";
import { useAdminPages } from "./admin-pages.ts";
import { operator } from "../../src/core/access/actor.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser, openBrowserAs } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { buildShop, buildStaff } from "../support/factories.ts";
import { tokenIn } from "../support/mail/mail-jobs.ts";
import { mailsThrough, useMailServer } from "../support/mail/mail-server.ts";
import { buildInvitation } from "../support/staff/invitations.ts";
import { buildFactor, codeOf, wrongCode } from "../support/staff/second-factor.ts";
import { useWorld } from "../support/world.ts";
import { copy as credentials, keys } from "../../admin/credentials/copy.ts";
import { copy as home } from "../../admin/home/copy.ts";
import { copy as session } from "../../admin/session/copy.ts";

const PASSWORD = "a lantern over the quay";

describe(`Admin's login in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const { shop, staff: owner } = useWorld(pages.server, { name: "Harbour Goods" });

  async function logIn(): Promise<void> {
    await pages.fill(session.email, owner.email);
    await pages.fill(session.password, owner.password);
    await pages.press(session.login.submit);
  }

  it("asks for a two-factor code if the account requires one", async () => {
    const { secret } = await buildFactor(pages.server, owner);
    await pages.open("/login");
    await logIn();
    await pages.fill(session.code.label, wrongCode(secret));
    await pages.press(session.login.submit);
    await pages.page.waitForSelector('[role="alert"]');
    await pages.expectAccessible();
    await pages.fill(session.code.label, codeOf(secret));
    await pages.press(session.login.submit);
    await pages.see(home.orders.title);
  });

  it("opens the login when the session ends, and then the same page with its filters", async () => {
    await pages.openAs(owner, `/${shop.id}/keys?status=REVOKED`);
    await pages.see(keys.noMatch);
    await (await openBrowserAs(pages.server, owner)).ask("mutation { endOtherSessions }");
    await pages.choose(credentials.status, credentials.statuses.EXPIRED);
    await pages.see(session.login.forgot);
    await logIn();
    await pages.see(keys.noMatch);
    expect(pages.page.url()).to.equal(`${pages.server.url}/admin/${shop.id}/keys?status=EXPIRED`);
  });

  it("opens the login for a page that needs a session, and then the page", async () => {
    await pages.open(`/${shop.id}/keys?status=REVOKED`);
    await logIn();
    await pages.see(keys.noMatch);
  });

  for (const next of ["//example.com", "https://example.com/", "/\\example.com", "javascript:alert(1)"]) {
    it(`does not redirect to ${next}`, async () => {
      await pages.open(`/login?next=${encodeURIComponent(next)}`);
      await logIn();
      await pages.see(home.orders.title);
      expect(pages.page.url()).to.equal(`${pages.server.url}/admin/${shop.id}`);
    });
  }

  it("explains that no email is sent", async () => {
    await pages.open("/login");
    await pages.press(session.login.forgot);
    await pages.see(session.reset.submit);
    await pages.fill(session.email, owner.email);
    await pages.press(session.reset.submit);
    await pages.see("This service does not send email");
  });
});

describe(`A password reset in a browser${withoutChromium}`, () => {
  const mailServer = useMailServer();
  const pages = useAdminPages({ worker: true, config: mailsThrough(mailServer) });

  it("works once with the emailed link", async () => {
    const shop = await buildShop(pages.server.em);
    const owner = await buildStaff(pages.server.em, shop);
    await pages.open("/login");
    await pages.press(session.login.forgot);
    await pages.see(session.reset.submit);
    await pages.expectAccessible();
    await pages.fill(session.email, owner.email);
    await pages.press(session.reset.submit);
    await pages.see(session.reset.sentTitle);
    const [mail] = await eventually(
      async () => mailServer.to(owner.email),
      (mails) => mails.length > 0,
    );
    const path = `/reset#${tokenIn(mail!)}`;
    await pages.open(path);
    await pages.fill(session.newPassword, "short");
    await pages.press(session.reset.newSubmit);
    await pages.page.waitForSelector('[aria-invalid="true"]');
    await pages.expectAccessible();
    await pages.fill(session.newPassword, PASSWORD);
    await pages.press(session.reset.newSubmit);
    await pages.see(session.reset.doneTitle);
    expect(codesOf(await openBrowser(pages.server).logIn({ ...owner, password: PASSWORD }))).to.deep.equal([]);
    await pages.page.reload();
    await pages.fill(session.newPassword, `${PASSWORD}, again`);
    await pages.press(session.reset.newSubmit);
    await pages.see(session.reset.invalidTitle);
    await pages.press(session.reset.requestAnother);
    await pages.see(session.reset.title);
  });
});

describe(`Admin at an address other than BASE_URL in a browser${withoutChromium}`, () => {
  const baseUrl = "https://localhost:4443";
  const pages = useAdminPages({ config: { baseUrl } });

  async function expectWayOut(path: string): Promise<void> {
    await pages.open(path);
    await pages.see(session.wrongAddress.title(baseUrl));
    await pages.expectAccessible();
    expect(await pages.page.$$("input")).to.deep.equal([]);
    const link = await pages.page.$eval('a[href^="https://"]', ({ href }) => href);
    expect(link).to.equal(`${baseUrl}/admin${path}`);
  }

  it("links to BASE_URL before a login or a password reset", async () => {
    const shop = await buildShop(pages.server.em);
    await buildStaff(pages.server.em, shop);
    for (const path of ["/login", `/login?next=%2F${shop.id}%2Fkeys`, "/reset", "/reset#token"])
      await expectWayOut(path);
  });

  it("links to BASE_URL before joining, and leaves the invitation valid", async () => {
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
