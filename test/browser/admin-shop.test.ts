import { useAdminPages } from "./admin-pages.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { openBrowserAs } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { buildFactor, forgetCodes } from "../support/staff/second-factor.ts";

const SHOP = `query ($shopId: ID!) {
  shop(id: $shopId) { name allowsOverselling requiresSecondFactor }
  viewer { memberships { notificationSettings { kind enabled } } }
}`;

interface Settings {
  shop: { name: string; allowsOverselling: boolean };
  viewer: { memberships: [{ notificationSettings: { kind: string; enabled: boolean }[] }] };
}

describe(`Admin's settings of a shop in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  let shop: Shop;
  let owner: TestStaff;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    owner = await buildStaff(pages.server.em, shop);
  });

  async function expectSetting(read: (data: Settings) => unknown, wanted: unknown): Promise<void> {
    const browser = await openBrowserAs(pages.server, owner);
    const setting = async () => read((await browser.ask(SHOP, { shopId: shop.id })).data);
    await eventually(setting, (value) => value === wanted);
  }

  const press = (text: string) => pages.page.locator(`main label ::-p-text(${text})`).click();

  it("changes the name, overselling and the viewer's mails", async () => {
    await pages.openAs(owner, `/${shop.id}/shop`);
    await pages.see("Mails to you");
    await pages.expectAccessible();
    await pages.fill("Name", " ");
    await pages.press("Save");
    await pages.page.waitForSelector("main [data-invalid]");
    await pages.fill("Name", "Harbour and Sons");
    await pages.press("Save");
    await pages.page.waitForSelector("aside ::-p-text(Harbour and Sons)");
    await expectSetting(({ shop: { name } }) => name, "Harbour and Sons");
    await press("Sell more than there is");
    await expectSetting(({ shop: { allowsOverselling } }) => allowsOverselling, true);
    await press("A webhook endpoint was disabled");
    await expectSetting(
      ({ viewer }) =>
        viewer.memberships[0].notificationSettings.find(({ kind }) => kind === "WEBHOOK_ENDPOINT_DISABLED")?.enabled,
      false,
    );
  });

  it("requires a second factor of owners, by one who has one", async () => {
    await pages.openAs(owner, `/${shop.id}/shop`);
    await pages.see("You have none yourself");
    const { recoveryCodes } = await buildFactor(pages.server, owner);
    await forgetCodes(pages.server, owner);
    await pages.page.reload();
    await pages.fill("E-mail", owner.email);
    await pages.fill("Password", owner.password);
    await pages.press("Log in");
    await pages.fill("Code", recoveryCodes[0]!);
    await pages.press("Log in");
    await pages.see("Mails to you");
    await press("Require a second factor of owners");
    await pages.see("Saved");
    const other = await buildStaff(pages.server.em, shop);
    await pages.press("Log out");
    await pages.see("Forgot your password?");
    await pages.openAs(other, `/${shop.id}/shop`);
    await pages.see("requires a second factor, and your account has none");
    await pages.press("Set one up under Account");
    await pages.see("until you set one up");
    await pages.expectAccessible();
  });

  it("is not for other roles", async () => {
    await pages.openAs(await buildStaff(pages.server.em, shop, Role.MANAGER), `/${shop.id}/shop`);
    await pages.see("This page is not for your role");
  });
});
