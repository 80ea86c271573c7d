import { expect } from "chai";
import { useAdminPages } from "./admin-pages.ts";
import { operator } from "../../src/core/access/actor.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser, openBrowserAs } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildShop, buildStaff } from "../support/factories.ts";
import { buildInvitation } from "../support/staff/invitations.ts";
import { buildFactor, codeOf } from "../support/staff/second-factor.ts";
import { useWorld } from "../support/world.ts";
import { roleNames } from "../../admin/copy.ts";
import { copy as shell } from "../../admin/shell/copy.ts";
import { copy as account } from "../../admin/account/copy.ts";
import { copy as members } from "../../admin/members/copy.ts";
import { copy as session } from "../../admin/session/copy.ts";

const PASSWORD = "a lantern over the quay";
const ROLES = "query ($shopId: ID!) { shop(id: $shopId) { members { email role } invitations { email } } }";
const VIEWER = "{ viewer { name memberships { role shop { name } } } }";

describe(`Admin's members in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const { shop, staff: owner } = useWorld(pages.server, { name: "Harbour Goods" });

  const staff = async () =>
    (await (await openBrowserAs(pages.server, owner)).ask(ROLES, { shopId: shop.id })).data.shop;
  const invite = (email: string, role: Role = Role.CLERK) =>
    buildInvitation(pages.server, shop.id, operator, { email, role });

  it("invites a person, shows the link once, and lets them join", async () => {
    const { page } = pages;
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.press(members.invite.action);
    await pages.fill(members.invite.email, "ada@example.com");
    await pages.choose(members.role, roleNames.MANAGER);
    await pages.submit();
    await pages.see(members.invite.linkTitle("ada@example.com"));
    const link = await pages.readSecret();
    await page.keyboard.press("Escape");
    await pages.confirmSecret();
    await pages.see("ada@example.com");
    expect(await page.content()).not.to.include(link.split("#")[1]!);
    expect(link).to.match(new RegExp(`^${pages.server.url}/admin/join#`));

    await pages.logOut();
    await page.goto(link);
    await pages.see(session.join.title("Harbour Goods"));
    await pages.see("manager");
    await pages.expectAccessible();
    await pages.fill(session.newPassword, "short");
    await pages.press(session.join.title("Harbour Goods"));
    await pages.see("12");
    await pages.fill(session.newPassword, PASSWORD);
    await pages.press(session.join.title("Harbour Goods"));
    await pages.see(shell.navigation.orders);
    expect(page.url()).to.include(shop.id);
    const joined = await openBrowserAs(pages.server, { email: "ada@example.com", password: PASSWORD });
    expect((await joined.ask(VIEWER)).data.viewer).to.deep.equal({
      name: "ada@example.com",
      memberships: [{ role: "MANAGER", shop: { name: "Harbour Goods" } }],
    });
  });

  it("lets a person join with their existing account and two-factor authentication", async () => {
    // Another shop with the same name: the URL shows which one was joined.
    const other = await buildStaff(pages.server.em, await buildShop(pages.server.em, { name: shop.name }));
    const { secret } = await buildFactor(pages.server, other);
    await pages.open(`/join#${await invite(other.email, Role.VIEWER)}`);
    await pages.fill(session.join.existingPassword, "not the password");
    await pages.press(session.join.title("Harbour Goods"));
    await pages.page.waitForSelector('[role="alert"]');
    await pages.fill(session.join.existingPassword, other.password);
    await pages.press(session.join.title("Harbour Goods"));
    await pages.fill(session.code.label, codeOf(secret));
    await pages.press(session.join.title("Harbour Goods"));
    await pages.see(shell.navigation.orders);
    expect(pages.page.url()).to.include(shop.id);
    expect((await staff()).members).to.deep.include({ email: other.email, role: "VIEWER" });
  });

  it("explains that a link is invalid", async () => {
    for (const hash of ["", "#nothing"]) {
      await pages.open(`/join${hash}`);
      await pages.see(session.join.invalidTitle);
    }
    await pages.expectAccessible();
  });

  it("changes a role, ends sessions and removes a member", async () => {
    const clerk = await buildStaff(pages.server.em, shop, Role.CLERK);
    const browser = await openBrowserAs(pages.server, clerk);
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.press(members.actionsFor(clerk.email));
    await pages.press(members.changeRole.action);
    await pages.choose(members.role, roleNames.VIEWER);
    await pages.submit();
    await pages.see(members.changeRole.done(clerk.email));
    expect((await staff()).members).to.deep.include({ email: clerk.email, role: "VIEWER" });

    await pages.press(members.actionsFor(clerk.email));
    await pages.press(members.endSessions.action);
    await pages.see(members.endSessions.text);
    await pages.submit();
    await pages.see(members.endSessions.done(1));
    expect((await browser.ask(VIEWER)).data.viewer).to.equal(null);

    await pages.press(members.actionsFor(clerk.email));
    await pages.press(members.remove.action);
    await pages.submit();
    await pages.see(members.remove.done(clerk.email));
    await pages.seeFocusedHeading();
    expect((await staff()).members).to.have.length(1);
  });

  it("refuses to remove the last owner", async () => {
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.press(members.actionsFor(owner.email));
    await pages.press(members.leave.action);
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] [role="alert"]');
    expect((await staff()).members).to.have.length(1);
  });

  it("lets members of every role leave, and then shows their other shops", async () => {
    const clerk = await buildStaff(pages.server.em, shop, Role.CLERK);
    await pages.openAs(clerk, `/${shop.id}/account`);
    await pages.press(account.membership.leave);
    await pages.see(members.leave.title("Harbour Goods"));
    await pages.expectAccessible();
    await pages.submit();
    await pages.see(shell.noShop.title);
    expect((await staff()).members).to.deep.equal([{ email: owner.email, role: "OWNER" }]);
  });

  it("revokes an invitation", async () => {
    const token = await invite("ada@example.com");
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.press(members.invitationActionsFor("ada@example.com"));
    await pages.press(members.revoke.action);
    await pages.submit();
    await pages.miss(members.invitationColumns.invitedBy);
    const answer = await openBrowser(pages.server).ask(`{ invitation(token: "${token}") { email } }`);
    expect(codesOf(answer)).to.deep.equal(["NOT_FOUND"]);
  });

  it("is accessible", async () => {
    await invite("ada@example.com");
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.see("ada@example.com");
    await pages.expectAccessible();
  });
});
