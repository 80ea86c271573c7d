import { expect } from "chai";
import { useAdminPages } from "./admin-pages.ts";
import { ServiceToken } from "../../src/core/model/credentials/service-token.entity.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildShop, buildStaff, type TestStaff } from "../support/factories.ts";

describe(`Admin's service tokens in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  let shop: Shop;
  let owner: TestStaff;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    owner = await buildStaff(pages.server.em, shop);
  });

  const ask = (secret: string, what: string) =>
    openBrowser(pages.server, { authorization: `Bearer ${secret}` }).ask(
      `query ($shopId: ID!) { shop(id: $shopId) { ${what} { total } } }`,
      { shopId: shop.id },
    );

  it("makes one that may do what was chosen, renames and revokes it", async () => {
    const { page } = pages;
    await pages.openAs(owner, `/${shop.id}/tokens`);
    await pages.see("No service tokens yet");
    await pages.expectAccessible();
    await page.locator("header ::-p-aria([name='Create token'][role='button'])").click();
    await pages.fill("Name", "Till 3");
    await pages.submit();
    await page.waitForSelector('[role="dialog"] [data-invalid]');
    await pages.expectAccessible();
    await pages.press("Read products");
    await pages.choose("Ends after", "90 days");
    await pages.submit();
    await pages.see("Till 3 is ready");
    const secret = await page.$eval("[role=dialog] input[readonly]", (input) => (input as HTMLInputElement).value);
    await pages.press("I have stored it. It cannot be shown again.");
    await pages.press("Done");
    await pages.miss("Till 3 is ready");
    expect(await page.content()).not.to.include(secret);
    expect((await ask(secret, "products")).data.shop.products).to.deep.equal({ total: 0 });
    expect(codesOf(await ask(secret, "orders"))).to.deep.equal(["FORBIDDEN"]);

    await pages.press("Actions on Till 3");
    await pages.press("Rename");
    await pages.fill("Name", "Till 4");
    await pages.submit();
    await pages.press("Actions on Till 4");
    await pages.press("Revoke");
    await pages.submit();
    await pages.see("Revoked");
    expect(codesOf(await ask(secret, "products"))).to.deep.equal(["UNAUTHENTICATED"]);
    await pages.expectAccessible();

    await pages.choose("Status", "Active");
    await pages.see("No token has this status");
    expect(page.url()).to.match(/\?status=ACTIVE$/);
    await pages.choose("Status", "Revoked");
    await pages.see("Till 4");
  });

  it("reckons with the server's clock where the browser's is off", async () => {
    const days = 24 * 3_600_000;
    await pages.page.evaluateOnNewDocument((ahead) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + ahead;
    }, 10 * days);
    await pages.openAs(owner, `/${shop.id}/tokens`);
    await pages.see("No service tokens yet");
    await pages.page.locator("header ::-p-aria([name='Create token'][role='button'])").click();
    await pages.fill("Name", "Till 3");
    await pages.press("Read products");
    await pages.choose("Ends after", "30 days");
    await pages.submit();
    await pages.see("Till 3 is ready");
    const { expiresAt } = await pages.server.em.fork().findOneOrFail(ServiceToken, { shopId: shop.id });
    expect(expiresAt!.getTime()).to.be.closeTo(Date.now() + 30 * days, 120_000);
  });

  it("is not for other roles", async () => {
    await pages.openAs(await buildStaff(pages.server.em, shop, Role.MANAGER), `/${shop.id}/tokens`);
    await pages.see("This page is not for your role");
  });
});
