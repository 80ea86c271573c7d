import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { Plan, type Shop } from "../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { query } from "../support/database.ts";
import { buildShop, buildStaff } from "../support/factories.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as account } from "../../admin/account/copy.ts";
import { copy as access } from "../../admin/copy.ts";
import { copy as customers } from "../../admin/customers/copy.ts";
import { keys } from "../../admin/credentials/copy.ts";
import { copy as orders } from "../../admin/orders/copy.ts";
import { copy as shell } from "../../admin/shell/copy.ts";

const titles = shell.navigation;

describe(`Admin's navigation in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  let shop: Shop;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
  });

  const openAs = (role: Role, path: string) => pages.openAsRole(shop, role, path);
  const listLinks = () => pages.page.$$eval("aside nav a", (links) => links.map((link) => link.textContent.trim()));

  it("shows a clerk only the pages that the role can open", async () => {
    await openAs(Role.CLERK, "/orders");
    await pages.see(orders.empty.title);
    expect(await listLinks()).to.deep.equal([
      titles.home,
      titles.orders,
      titles.products,
      titles.customers,
      titles.stock,
    ]);
    await pages.miss(titles.developers);
    await pages.miss(titles.settings);
  });

  it("hides pages for owners from all others", async () => {
    await openAs(Role.MANAGER, "/orders");
    for (const page of ["audit", "shop", "tokens", "members"]) {
      await pages.open(`/${shop.id}/${page}`);
      await pages.see(shell.noAccess.title);
    }
  });

  it("groups an owner's pages", async () => {
    await openAs(Role.OWNER, "/orders");
    await pages.see(titles.developers);
    await pages.see(titles.settings);
    expect(await listLinks()).to.include.members([titles.keys, titles.tokens, titles.shopSettings, titles.audit]);
    await pages.expectAccessible();
  });

  it("leads from a shop of others, and from one that does not exist, to the own shop", async () => {
    const { id } = await buildShop(pages.server.em);
    await openAs(Role.CLERK, "/orders");
    for (const path of [`/${id}/orders`, "/shop_1/products"]) {
      await pages.open(path);
      await pages.see(access.shopNotFound);
      await pages.expectAccessible();
      await pages.press(shell.toYourShop);
      await pages.page.waitForFunction((own) => location.pathname === `/admin/${own}`, {}, shop.id);
    }
  });

  it("says that a page does not exist, and that a member has left every shop", async () => {
    const clerk = await buildStaff(pages.server.em, shop, Role.CLERK);
    await pages.openAs(clerk, `/${shop.id}/orders`);
    await pages.open("/login/nowhere");
    await pages.see(shell.pageNotFound.title);
    await pages.expectAccessible();
    await query(pages.server.databaseUrl, "delete from memberships where staff_id = $1", [clerk.id]);
    await pages.open("/");
    await pages.see(shell.noShop.title);
    await pages.expectAccessible();
  });

  it("opens the account settings from the email address, and logs out there", async () => {
    await openAs(Role.CLERK, "/orders");
    await pages.openAccountMenu();
    await pages.see(shell.logOut);
    await pages.press(titles.account);
    await pages.see(account.password.change);
    await pages.logOut();
  });

  it("says on every page that the trial has ended, and what no longer works", async () => {
    const end = "update shops set plan = $2, trial_ends_at = now() - interval '1 day' where id = $1";
    await query(pages.server.databaseUrl, end, [shop.id, Plan.TRIAL]);
    await openAs(Role.OWNER, "/keys");
    await pages.see(keys.empty.title);
    await pages.see(shell.planEnded.text);
    await pages.miss("0 of 0");
    await pages.expectAccessible();
    await pages.press(titles.orders);
    await pages.see(orders.empty.title);
    await pages.see(shell.planEnded.text);
  });

  /** Opens the dialog of the shortcuts by the account menu, and turns them on or off. */
  const switchShortcuts = async () => {
    await pages.openAccountMenu();
    await pages.press(shell.shortcuts.title);
    await pages.press(shell.shortcuts.use);
    await pages.page.keyboard.press("Escape");
    await pages.miss(shell.shortcuts.use);
  };

  it("ignores single keys until a person turns them on, and again after they are turned off", async () => {
    const clerk = await buildStaff(pages.server.em, shop, Role.CLERK);
    await pages.openAs(clerk, `/${shop.id}/orders`);
    await pages.see(orders.empty.title);
    const { keyboard } = pages.page;
    const expectIgnored = async () => {
      await keyboard.type("gc/?");
      await pages.miss(shell.shortcuts.use);
      expect(pages.page.url()).to.match(/\/orders$/);
      expect(await pages.page.evaluate(() => document.activeElement?.tagName)).to.not.equal("INPUT");
    };
    await expectIgnored();
    await switchShortcuts();
    await pages.page.reload();
    await pages.see(orders.empty.title);
    await keyboard.type("?");
    await pages.see(shell.shortcuts.use);
    await pages.press(shell.shortcuts.use);
    await keyboard.press("Escape");
    await pages.miss(shell.shortcuts.use);
    await expectIgnored();
    await switchShortcuts();
    await pages.logOut();
    await openAs(Role.CLERK, "/orders");
    await pages.see(orders.empty.title);
    await expectIgnored();
  });

  it("is used by the keyboard: / searches, ? shows the keys, g opens a page", async () => {
    await openAs(Role.CLERK, "/orders");
    await pages.see(orders.empty.title);
    await switchShortcuts();
    const { keyboard } = pages.page;
    await keyboard.type("?");
    await pages.see(shell.shortcuts.use);
    await pages.miss(titles.keys);
    await pages.expectAccessible();
    await keyboard.press("Escape");
    await pages.miss(shell.shortcuts.use);
    await keyboard.type("/");
    await keyboard.type("g?/");
    const field = await pages.page.$eval('input[type="search"]', (input) => (input as HTMLInputElement).value);
    expect(field).to.equal("g?/");
    await pages.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await keyboard.type("gc");
    await pages.see(customers.empty.title);
  });

  it("opens a page by g with Caps Lock and in a Cyrillic layout, but not two seconds later", async () => {
    await openAs(Role.CLERK, "/orders");
    await pages.see(orders.empty.title);
    await switchShortcuts();
    const type = (typed: { key: string; code: string }[]) =>
      pages.page.evaluate((events) => {
        for (const init of events)
          document.body.dispatchEvent(new KeyboardEvent("keydown", { ...init, bubbles: true }));
      }, typed);
    await type([
      { key: "G", code: "KeyG" },
      { key: "C", code: "KeyC" },
    ]);
    await pages.see(customers.empty.title);
    await type([
      { key: "п", code: "KeyG" },
      { key: "щ", code: "KeyO" },
    ]);
    await pages.see(orders.empty.title);
    await pages.page.keyboard.press("g");
    await setTimeout(2_000);
    await pages.page.keyboard.press("c");
    await pages.page.keyboard.type("?");
    await pages.see(shell.shortcuts.use);
    expect(new URL(pages.page.url()).pathname).to.match(/\/orders$/);
  });

  it("writes a search for a number without quotes into the address", async () => {
    await openAs(Role.CLERK, "/orders");
    await pages.fill(orders.search, "1900");
    await pages.see(orders.noMatch.title);
    expect(pages.page.url()).to.match(/\?search=1900$/);
    await pages.page.reload();
    await pages.see(orders.noMatch.title);
  });
});
