import { expect } from "chai";
import { useAdminPages } from "./admin-pages.ts";
import { operator } from "../../src/core/access/author.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser, openBrowserAs } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { buildInvitation } from "../support/staff/invitations.ts";
import { buildFactor, codeOf } from "../support/staff/second-factor.ts";

const PASSWORD = "a lantern over the quay";
const ROLES = "query ($shopId: ID!) { shop(id: $shopId) { members { email role } invitations { email } } }";
const VIEWER = "{ viewer { name memberships { role shop { name } } } }";

describe(`Admin's members in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  let shop: Shop;
  let owner: TestStaff;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    owner = await buildStaff(pages.server.em, shop);
  });

  const staff = async () =>
    (await (await openBrowserAs(pages.server, owner)).ask(ROLES, { shopId: shop.id })).data.shop;
  const invite = (email: string, role = Role.CLERK) =>
    buildInvitation(pages.server, shop.id, operator, { email, role });

  it("invites somebody, hands the link over once, and lets them join with it", async () => {
    const { page } = pages;
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.press("Invite a member");
    await pages.fill("E-mail", "ada@example.com");
    await pages.choose("Role", "Manager");
    await pages.submit();
    await pages.see("Hand the link to ada@example.com");
    const link = await page.$eval("[role=dialog] input[readonly]", (input) => (input as HTMLInputElement).value);
    await page.keyboard.press("Escape");
    await pages.press("I have stored it. It cannot be shown again.");
    await pages.press("Done");
    await pages.see("ada@example.com");
    expect(await page.content()).not.to.include(link.split("#")[1]!);
    expect(link).to.match(new RegExp(`^${pages.server.url}/admin/join#`));

    await pages.press("Log out");
    await pages.see("Forgot your password?");
    await page.goto(link);
    await pages.see("Join Harbour Goods");
    await pages.see("manager");
    await pages.expectAccessible();
    await pages.fill("New password", "short");
    await pages.press("Join Harbour Goods");
    await pages.see("12");
    await pages.fill("New password", PASSWORD);
    await pages.press("Join Harbour Goods");
    await pages.see("Orders");
    expect(page.url()).to.include(shop.id);
    const joined = await openBrowserAs(pages.server, { email: "ada@example.com", password: PASSWORD });
    expect((await joined.ask(VIEWER)).data.viewer).to.deep.equal({
      name: "ada@example.com",
      memberships: [{ role: "MANAGER", shop: { name: "Harbour Goods" } }],
    });
  });

  it("lets somebody join with the account and the second factor that they have", async () => {
    // Another shop of that name: the address tells which was joined.
    const other = await buildStaff(pages.server.em, await buildShop(pages.server.em, { name: shop.name }));
    const { secret } = await buildFactor(pages.server, other);
    await pages.open(`/join#${await invite(other.email, Role.VIEWER)}`);
    await pages.fill("Your password", "not the password");
    await pages.press("Join Harbour Goods");
    await pages.page.waitForSelector('[role="alert"]');
    await pages.fill("Your password", other.password);
    await pages.press("Join Harbour Goods");
    await pages.fill("Code", codeOf(secret));
    await pages.press("Join Harbour Goods");
    await pages.see("Orders");
    expect(pages.page.url()).to.include(shop.id);
    expect((await staff()).members).to.deep.include({ email: other.email, role: "VIEWER" });
  });

  it("says when a link cannot be used", async () => {
    for (const hash of ["", "#nothing"]) {
      await pages.open(`/join${hash}`);
      await pages.see("This invitation cannot be used");
    }
    await pages.expectAccessible();
  });

  it("changes a role, logs somebody out everywhere and removes them", async () => {
    const clerk = await buildStaff(pages.server.em, shop, Role.CLERK);
    const browser = await openBrowserAs(pages.server, clerk);
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.press(`Actions on ${clerk.email}`);
    await pages.press("Change role");
    await pages.choose("Role", "Viewer");
    await pages.submit();
    await pages.see(`${clerk.email} has a new role`);
    expect((await staff()).members).to.deep.include({ email: clerk.email, role: "VIEWER" });

    await pages.press(`Actions on ${clerk.email}`);
    await pages.press("Log out everywhere");
    await pages.see("Every session of theirs ends");
    await pages.submit();
    await pages.see("One session ended");
    expect((await browser.ask(VIEWER)).data.viewer).to.equal(null);

    await pages.press(`Actions on ${clerk.email}`);
    await pages.press("Remove");
    await pages.submit();
    await pages.see("no longer works for the shop");
    await pages.seeFocusedHeading();
    expect((await staff()).members).to.have.length(1);
  });

  it("keeps the last owner, and says so", async () => {
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.press(`Actions on ${owner.email}`);
    await pages.press("Leave");
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] [role="alert"]');
    expect((await staff()).members).to.have.length(1);
  });

  it("lets whoever works there leave, whatever their role, and then shows what they have left", async () => {
    const clerk = await buildStaff(pages.server.em, shop, Role.CLERK);
    await pages.openAs(clerk, `/${shop.id}/account`);
    await pages.press("Leave the shop");
    await pages.see("Leave Harbour Goods?");
    await pages.expectAccessible();
    await pages.submit();
    await pages.see("You work for no shop");
    expect((await staff()).members).to.deep.equal([{ email: owner.email, role: "OWNER" }]);
  });

  it("takes an invitation back", async () => {
    const token = await invite("ada@example.com");
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.press("Actions on the invitation of ada@example.com");
    await pages.press("Take back");
    await pages.submit();
    await pages.miss("Invited by");
    const answer = await openBrowser(pages.server).ask(`{ invitation(token: "${token}") { email } }`);
    expect(codesOf(answer)).to.deep.equal(["NOT_FOUND"]);
  });

  it("is accessible, and not for other roles", async () => {
    await invite("ada@example.com");
    await pages.openAs(owner, `/${shop.id}/members`);
    await pages.see("ada@example.com");
    await pages.expectAccessible();
    await pages.press("Log out");
    await pages.see("Forgot your password?");
    await pages.openAs(await buildStaff(pages.server.em, shop, Role.CLERK), `/${shop.id}/members`);
    await pages.see("This page is not for your role");
  });
});
