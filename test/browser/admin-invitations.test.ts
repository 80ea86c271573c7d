import { expect } from "chai";
import { operator } from "../../src/core/access/actor.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { buildShop, buildStaff } from "../support/factories.ts";
import { buildInvitation } from "../support/staff/invitations.ts";
import { tokenIn } from "../support/mail/mail-jobs.ts";
import { mailsThrough, useMailServer } from "../support/mail/mail-server.ts";
import { useWorld } from "../support/world.ts";
import { useAdminPages, type AdminPages } from "./admin-pages.ts";
import { roleNames } from "../../admin/copy.ts";
import { copy as members } from "../../admin/members/copy.ts";

const EMAIL = "ada@example.com";

const read = (pages: AdminPages, token: string) =>
  openBrowser(pages.server).ask("query ($token: String!) { invitation(token: $token) { email role } }", { token });

describe(`Admin's invitations in a browser, without email${withoutChromium}`, () => {
  const pages = useAdminPages();
  const { shop, staff: owner } = useWorld(pages.server, { name: "Harbour Goods" });

  it("replaces an earlier invitation of the same address", async () => {
    const { page } = pages;
    const before = await buildInvitation(pages.server, shop.id, operator, { email: EMAIL, role: Role.MANAGER });
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.press(members.invitationActionsFor(EMAIL));
    await pages.press(members.invite.again);
    expect(await page.$eval('[role=dialog] input[name="email"]', (input) => input.value)).to.equal(EMAIL);
    await pages.choose(members.role, roleNames.CLERK);
    await pages.submit();
    await pages.see(members.invite.linkTitle(EMAIL));
    const link = await pages.readSecret();
    await pages.confirmSecret();
    await pages.see(roleNames.CLERK);
    expect(codesOf(await read(pages, before))).to.deep.equal(["NOT_FOUND"]);
    const { data } = await read(pages, link.split("#")[1]!);
    expect(data.invitation).to.deep.equal({ email: EMAIL, role: "CLERK" });
  });
});

describe(`Admin's invitations in a browser, with email${withoutChromium}`, () => {
  const mailServer = useMailServer();
  const pages = useAdminPages({ worker: true, config: mailsThrough(mailServer) });

  it("emails the link to a pasted address and does not show it", async () => {
    const shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    await pages.openAs(await buildStaff(pages.server.em, shop), `/${shop.id}/members`);
    await pages.press(members.invite.action);
    await pages.fill(members.invite.email, `\u2068${EMAIL}\u200b`);
    await pages.submit();
    await pages.see(members.invite.sent(EMAIL));
    const [mail] = await eventually(
      () => mailServer.received,
      ({ length }) => length > 0,
    );
    expect(mail!.envelope.to).to.deep.equal([EMAIL]);
    const token = tokenIn(mail!);
    expect(await pages.page.content()).not.to.include(token);
    expect((await read(pages, token)).data.invitation).to.deep.equal({ email: EMAIL, role: "CLERK" });
    await pages.press(members.invitationActionsFor(EMAIL));
  });
});
