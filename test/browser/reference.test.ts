import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildKey, buildProduct, buildShop } from "../support/factories.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as docs } from "../../admin/docs/copy.ts";

describe(`The API reference in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  let shop: Shop;
  let secret: string;

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    secret = await buildKey(pages.server.em, shop);
    await pages.page.goto(`${pages.server.url}/docs?shop=${shop.id}`);
    await pages.see("List products");
  });

  /** The operation's part of the page. */
  const within = (operation: string, selector: string) => pages.page.locator(`#${operation} ${selector}`);
  const read = (selector: string) => pages.page.$eval(selector, (node) => node.textContent ?? "");

  it("shows every route and topic, and how to verify signatures", async () => {
    const document = await (await fetch(`${pages.server.url}/api/v1/openapi.json`)).json();
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods as object));
    for (const { operationId, summary } of operations) expect(await read(`#${operationId} h3`)).to.equal(summary);
    for (const topic of Object.keys(document["x-webhooks"])) {
      expect(await read(`[id="${topic}"] pre`)).to.include(`"topic": "${topic}"`);
    }
    expect(await read("#webhooks"))
      .to.include("def has_standard_signature")
      .and.to.include("webhook.verify");
  });

  it("opens at the fragment of the URL", async () => {
    await pages.page.goto("about:blank");
    await pages.page.goto(`${pages.server.url}/docs#verification`);
    const isAtTheTop = () => Math.abs(document.querySelector("#verification")!.getBoundingClientRect().top) < 50;
    await pages.see(docs.webhooks.verificationTitle);
    await pages.page.waitForFunction(isAtTheTop);
  });

  it("describes the limit of requests in flight and the status 503", async () => {
    expect(await read("main")).to.include("up to 60 requests in flight");
    expect(await read("#listProducts"))
      .to.include("Too many requests at once")
      .and.to.include("Retry-After");
  });

  it("shows samples in three languages, with the shop of the URL", async () => {
    expect(await read("#listProducts pre"))
      .to.include(`/api/v1/${shop.id}/products" \\`)
      .and.to.include("curl ");
    await pages.choose(docs.language("List products"), "Python");
    await pages.see(docs.sample("Create a product", "Python"));
    expect(await read("#createProduct pre"))
      .to.include("requests.post(")
      .and.to.include('"Idempotency-Key"');
    await pages.choose(docs.language("List products"), "TypeScript");
    await pages.see(docs.sample("Create a product", "TypeScript"));
    expect(await read("#createProduct pre")).to.include('method: "POST"');
  });

  it("sends requests with a key that it does not store", async () => {
    await buildProduct(pages.server.em, shop, { title: "Stoneware Mug" });
    await within("listProducts", "button[aria-expanded]:not([role])").click();
    await within("listProducts", 'input[type="password"]').fill(secret);
    await within("listProducts", 'input[aria-label^="limit"]').fill("1");
    await within("listProducts", 'button[type="submit"]').click();
    await pages.page.waitForSelector(`#listProducts [aria-label=${docs.tryIt.response}] ::-p-text(Stoneware Mug)`);
    expect(await read(`#listProducts [aria-label=${docs.tryIt.response}]`)).to.include('"limit": 1');
    await pages.expectAccessible();
    const kept = await pages.page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    expect(kept).not.to.include(secret);
    await pages.page.reload();
    await within("listProducts", "button[aria-expanded]:not([role])").click();
    const field = await within("listProducts", 'input[type="password"]').waitHandle();
    expect(await field.evaluate((input) => (input as HTMLInputElement).value)).to.equal("");
  });

  it("sends the entered body, and shows errors", async () => {
    await within("createProduct", "button[aria-expanded]:not([role])").click();
    await within("createProduct", 'input[type="password"]').fill(secret);
    await within("createProduct", "textarea").fill('{"title": "Sail bag", "price": 89.5}');
    await within("createProduct", 'button[type="submit"]').click();
    await pages.page.waitForSelector(`#createProduct [aria-label=${docs.tryIt.response}] ::-p-text(201)`);
    const answer = await fetch(`${pages.server.url}/api/v1/${shop.id}/products?search=sail`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect((await answer.json()).products).to.have.length(1);
    await within("createProduct", "textarea").fill('{"title": ""}');
    await within("createProduct", 'button[type="submit"]').click();
    await pages.see("Validation error");
  });
});
