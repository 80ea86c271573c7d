import { expect } from "chai";
import { useAdminPages } from "./admin-pages.ts";
import { ServiceToken } from "../../src/core/model/credentials/service-token.entity.ts";
import { codesOf, openBrowser } from "../support/browser/browser.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { useWorld } from "../support/world.ts";
import { assistant, copy as credentials, tokens } from "../../admin/credentials/copy.ts";
import { copy as ui } from "../../admin/ui/copy.ts";

const createButton = `header ::-p-aria([name="${tokens.create}"][role="button"])`;

describe(`Admin's service tokens in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const { shop, staff: owner } = useWorld(pages.server, { name: "Harbour Goods" });

  const ask = (secret: string, what: string) =>
    openBrowser(pages.server, { authorization: `Bearer ${secret}` }).ask(
      `query ($shopId: ID!) { shop(id: $shopId) { ${what} { total } } }`,
      { shopId: shop.id },
    );

  it("shows how to connect an assistant", async () => {
    const { page } = pages;
    await pages.openAs(owner, `/${shop.id}/tokens`);
    await pages.press(assistant.connect);
    await pages.see(`${pages.server.url}/mcp`);
    await page.waitForSelector("[role=dialog] [role=combobox]:focus");
    await pages.see("claude mcp add");
    await pages.choose(assistant.client, "VS Code");
    await pages.see('"Bearer <token>"');
    await pages.expectAccessible();
    await page.keyboard.press("Escape");
    await pages.miss(assistant.description);
  });

  it("creates a token with the chosen permissions, renames and revokes it", async () => {
    const { page } = pages;
    await pages.openAs(owner, `/${shop.id}/tokens`);
    await pages.see(tokens.empty.title);
    await pages.expectAccessible();
    await page.locator(createButton).click();
    await pages.fill(credentials.name, "Till 3");
    await pages.submit();
    await pages.see(tokens.emptyFields.permissions);
    await pages.expectAccessible();
    await pages.press(credentials.read(credentials.resources.PRODUCTS));
    await pages.choose(credentials.lifetime.label, credentials.lifetime.days(90));
    await pages.submit();
    await pages.see(credentials.created("Till 3"));
    const secret = await pages.readSecret();
    await pages.confirmSecret();
    await pages.miss(credentials.created("Till 3"));
    expect(await page.content()).not.to.include(secret);
    expect((await ask(secret, "products")).data.shop.products).to.deep.equal({ total: 0 });
    expect(codesOf(await ask(secret, "orders"))).to.deep.equal(["FORBIDDEN"]);

    await pages.press(credentials.actionsFor("Till 3"));
    await pages.press(credentials.rename);
    await pages.fill(credentials.name, "Till 4");
    await pages.submit();
    await pages.press(credentials.actionsFor("Till 4"));
    await pages.press(credentials.revoke);
    await page.waitForSelector(`button:focus::-p-text(${ui.cancel})`);
    await pages.submit();
    await pages.see(credentials.statuses.REVOKED);
    expect(codesOf(await ask(secret, "products"))).to.deep.equal(["UNAUTHENTICATED"]);
    await pages.expectAccessible();

    await pages.choose(credentials.status, credentials.statuses.ACTIVE);
    await pages.see(tokens.noMatch);
    expect(page.url()).to.match(/\?status=ACTIVE$/);
    await pages.choose(credentials.status, credentials.statuses.REVOKED);
    await pages.see("Till 4");
  });

  it("computes the expiry by the server's clock", async () => {
    const days = 24 * 3_600_000;
    await pages.page.evaluateOnNewDocument((ahead) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + ahead;
    }, 10 * days);
    await pages.openAs(owner, `/${shop.id}/tokens`);
    await pages.see(tokens.empty.title);
    await pages.page.locator(createButton).click();
    await pages.fill(credentials.name, "Till 3");
    await pages.press(credentials.read(credentials.resources.PRODUCTS));
    await pages.choose(credentials.lifetime.label, credentials.lifetime.days(30));
    await pages.submit();
    await pages.see(credentials.created("Till 3"));
    const { expiresAt } = await pages.server.em.fork().findOneOrFail(ServiceToken, { shopId: shop.id });
    expect(expiresAt!.getTime()).to.be.closeTo(Date.now() + 30 * days, 120_000);
  });
});
