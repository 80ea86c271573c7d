import { expect } from "chai";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildKey, buildStaff } from "../support/factories.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as credentials, keys } from "../../admin/credentials/copy.ts";
import { copy as access } from "../../admin/copy.ts";
import { useWorld } from "../support/world.ts";

describe(`Admin while its server is unreachable, in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const { shop } = useWorld(pages.server, { name: "Harbour Goods" });

  beforeEach(async () => {
    await buildKey(pages.server.em, shop);
    await pages.openAs(await buildStaff(pages.server.em, shop), `/${shop.id}/keys`);
    await pages.see("Test key");
  });

  it("shows an error in place of a page, and the page once the server is back", async () => {
    await pages.page.setOfflineMode(true);
    await pages.choose(credentials.status, credentials.statuses.REVOKED);
    await pages.see(access.unreachable);
    await pages.page.setOfflineMode(false);
    await pages.see(keys.noMatch);
    await pages.miss(access.unreachable);
  });

  it("preserves the values of a form, shows the error, and submits later", async () => {
    await pages.press(keys.create);
    await pages.fill(credentials.name, "ERP connector");
    await pages.press(credentials.read(credentials.resources.ORDERS));
    const submit = '[role="dialog"] button[type="submit"]';
    await pages.page.setOfflineMode(true);
    await pages.page.locator(submit).click();
    await pages.see(access.unreachable);
    await pages.page.setOfflineMode(false);
    await pages.page.locator(submit).click();
    await pages.see(credentials.created("ERP connector"));
    expect(await pages.page.$$("[role=alert]")).to.deep.equal([]);
  });
});
