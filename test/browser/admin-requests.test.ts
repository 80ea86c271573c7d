import { expect } from "chai";
import { withoutChromium } from "../support/chromium.ts";
import { buildKey, buildShop, buildStaff } from "../support/factories.ts";
import { eventually } from "../support/eventually.ts";
import { useAdminPages } from "./admin-pages.ts";

describe(`Admin's log of requests in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();

  it("lists them, filters them and shows one by its id", async () => {
    const shop = await buildShop(pages.server.em);
    const secret = await buildKey(pages.server.em, shop);
    const ask = (path: string) =>
      fetch(`${pages.server.url}/api/v1/${shop.id}${path}`, { headers: { authorization: `Bearer ${secret}` } });
    await ask("/products");
    const refused = await ask("/products?limit=0");
    const requestId = refused.headers.get("x-request-id")!;
    const owner = await buildStaff(pages.server.em, shop);
    await pages.openAs(owner, `/${shop.id}/requests`);
    const countRows = async () => {
      await pages.page.reload({ waitUntil: "networkidle2" });
      return (await pages.page.$$("tbody tr")).length;
    };
    // They are written down a second after they were answered.
    await eventually(countRows, (count) => count === 2);
    await pages.see("2 of 2");
    await pages.expectAccessible();
    await pages.choose("Status", String(refused.status));
    await pages.see("1 of 1");
    await pages.press("GET /products");
    await pages.see("Must be at least 1");
    expect(pages.page.url()).to.include(`request=${requestId}`);
    await pages.expectAccessible();
    await pages.open(`/${shop.id}/requests?request=missing`);
    await pages.see("No request has this id");
  });
});
