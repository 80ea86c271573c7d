import { useAdminPages } from "./admin-pages.ts";
import { openBrowserAs } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { buildProduct, buildStaff } from "../support/factories.ts";
import { buildFactor, forgetCodes } from "../support/staff/second-factor.ts";
import { useWorld } from "../support/world.ts";
import { copy as account } from "../../admin/account/copy.ts";
import { copy as session } from "../../admin/session/copy.ts";
import { copy as settings } from "../../admin/settings/copy.ts";
import { copy as shell } from "../../admin/shell/copy.ts";

const SHOP = `query ($shopId: ID!) {
  shop(id: $shopId) { name pricesIncludeTax defaultTaxRate cashRounding allowsOverselling requiresSecondFactor }
  viewer { memberships { notificationSettings { kind enabled } } }
}`;

interface Settings {
  shop: {
    name: string;
    pricesIncludeTax: boolean;
    defaultTaxRate: string | null;
    cashRounding: string;
    allowsOverselling: boolean;
  };
  viewer: { memberships: [{ notificationSettings: { kind: string; enabled: boolean }[] }] };
}

describe(`Admin's settings of a shop in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const { shop, staff: owner } = useWorld(pages.server, { name: "Harbour Goods" });

  async function expectSetting(read: (data: Settings) => unknown, wanted: unknown): Promise<void> {
    const browser = await openBrowserAs(pages.server, owner);
    const setting = async () => read((await browser.ask(SHOP, { shopId: shop.id })).data);
    await eventually(setting, (value) => value === wanted);
  }

  const press = (text: string) => pages.page.locator(`main label ::-p-text(${text})`).click();

  it("changes the name, overselling and the email notifications", async () => {
    await pages.openAs(owner, `/${shop.id}/shop`);
    await pages.see(settings.notifications.title);
    await pages.expectAccessible();
    await pages.fill(settings.name.label, " ");
    await pages.page.locator("main form:has([name=name]) button").click();
    await pages.page.waitForSelector("main [data-invalid]");
    await pages.fill(settings.name.label, "Harbour and Sons");
    await pages.page.locator("main form:has([name=name]) button").click();
    await pages.page.waitForSelector("aside ::-p-text(Harbour and Sons)");
    await expectSetting(({ shop: { name } }) => name, "Harbour and Sons");
    await press(settings.policies.overselling);
    await expectSetting(({ shop: { allowsOverselling } }) => allowsOverselling, true);
    await press(settings.notifications.kinds.WEBHOOK_ENDPOINT_DISABLED);
    await expectSetting(
      ({ viewer }) =>
        viewer.memberships[0].notificationSettings.find(({ kind }) => kind === "WEBHOOK_ENDPOINT_DISABLED")?.enabled,
      false,
    );
  });

  it("changes tax and cash rounding", async () => {
    await pages.openAs(owner, `/${shop.id}/shop`);
    await pages.see(settings.prices.title);
    const { include, exclude, cost } = settings.prices;
    await pages.fill(settings.prices.rate, "119");
    await pages.page.locator("main form:has([name=defaultTaxRate]) button").click();
    await pages.see(settings.prices.invalidRate);
    await pages.fill(settings.prices.rate, "19");
    await pages.page.locator("main form:has([name=defaultTaxRate]) button").click();
    await expectSetting((data) => data.shop.defaultTaxRate, "19");
    await buildProduct(pages.server.em, shop, { title: "Deck lantern", price: "13.90" });
    await buildProduct(pages.server.em, shop, { title: "Gift", price: "0.00" });
    await press(settings.prices.includeTax);
    await pages.see(settings.prices.example("Deck lantern", "€13.90", "19"));
    await pages.see(cost("€16.54", "€2.64"));
    await pages.see(cost("€13.90", "€2.22"));
    await pages.expectAccessible();
    await pages.page.keyboard.press("Escape");
    await pages.miss(include.title);
    await expectSetting((data) => data.shop.pricesIncludeTax, false);
    await press(settings.prices.includeTax);
    await pages.press(include.submit);
    await expectSetting((data) => data.shop.pricesIncludeTax, true);
    await pages.miss(include.title);
    await press(settings.prices.includeTax);
    await pages.press(exclude.submit);
    await expectSetting((data) => data.shop.pricesIncludeTax, false);
    await pages.miss(exclude.title);
    await pages.fill(settings.prices.rate, "");
    await pages.page.locator("main form:has([name=defaultTaxRate]) button").click();
    await expectSetting((data) => data.shop.defaultTaxRate, null);
    await pages.choose(settings.prices.cash, "€0.05");
    await expectSetting((data) => data.shop.cashRounding, "0.05");
    await pages.expectAccessible();
  });

  it("requires two-factor authentication of owners, if the owner has it", async () => {
    await pages.openAs(owner, `/${shop.id}/shop`);
    await pages.see(settings.policies.setUpOwn);
    const { recoveryCodes } = await buildFactor(pages.server, owner);
    await forgetCodes(pages.server, owner);
    await pages.page.reload();
    await pages.fill(session.email, owner.email);
    await pages.fill(session.password, owner.password);
    await pages.press(session.login.submit);
    await pages.fill(session.code.label, recoveryCodes[0]!);
    await pages.press(session.login.submit);
    await pages.see(settings.notifications.title);
    await press(settings.policies.secondFactor);
    await pages.see(settings.saved);
    const other = await buildStaff(pages.server.em, shop);
    await pages.logOut();
    await pages.openAs(other, `/${shop.id}/shop`);
    await pages.see(shell.noAccess.secondFactorText("Harbour Goods"));
    await pages.press(shell.noAccess.setUp);
    await pages.see(account.secondFactorRequired("Harbour Goods"));
    await pages.expectAccessible();
  });
});
