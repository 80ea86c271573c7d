import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { copy } from "../../admin/docs/copy.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildKey, buildProduct, buildShop } from "../support/factories.ts";
import { useAdminPages } from "./admin-pages.ts";

describe(`The API reference in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const pages = useAdminPages();
  let shop: Shop;
  let secret: string;

  const open = (to = "") => pages.page.goto(`${pages.server.url}/docs?shop=${shop.id}${to}`);

  beforeEach(async () => {
    shop = await buildShop(pages.server.em, { name: "Harbour Goods" });
    secret = await buildKey(pages.server.em, shop);
    await open();
  });

  /** The operation's part of the page. */
  const within = (operation: string, selector: string) => pages.page.locator(`#${operation} ${selector}`);
  const read = (selector: string) => pages.page.$eval(selector, (node) => node.textContent ?? "");
  const sampleOf = (operation: string) => read(`#${operation} [data-tabs] pre:not([hidden])`);
  const isShown = (selector: string) => pages.page.$eval(selector, (node) => node.checkVisibility());
  const boxOf = (selector: string) =>
    pages.page.$eval(selector, (node) => node.getBoundingClientRect().toJSON() as DOMRect);
  const fillField = (operation: string, name: string, text: string) => within(operation, `[name="${name}"]`).fill(text);

  async function startTrying(operation: string): Promise<void> {
    await within(operation, ".try summary").click();
    await fillField(operation, "key", secret);
  }

  async function send(operation: string, status: number): Promise<string> {
    await within(operation, 'button[type="submit"]').click();
    await pages.page.waitForSelector(`#${operation} .answer ::-p-text(${status})`);
    return read(`#${operation} .answer`);
  }

  it("shows every route and topic, and how to verify signatures", async () => {
    const document = await (await fetch(`${pages.server.url}/api/v1/openapi.json`)).json();
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods as object));
    for (const { operationId, summary } of operations) expect(await read(`#${operationId} h3`)).to.equal(summary);
    for (const topic of Object.keys(document["x-webhooks"])) {
      expect(await read(`[id="${topic}"] pre`)).to.include(`"topic": "${topic}"`);
    }
    expect(await read("#verification"))
      .to.include("def has_standard_signature")
      .and.to.include("webhook.verify");
    await pages.expectAccessible();
  });

  it("opens at the fragment of the URL, also in closed details", async () => {
    await pages.page.goto("about:blank");
    await open("#verification");
    const isAtTheTop = () => Math.abs(document.querySelector("#verification")!.getBoundingClientRect().top) < 80;
    await pages.page.waitForFunction(isAtTheTop);
    await pages.page.waitForSelector('#links a[aria-current="location"][href="#verification"]');
    await pages.page.goto("about:blank");
    await open("#listProducts.response.products.variants.barcode");
    await pages.page.waitForFunction(() =>
      document.getElementById("listProducts.response.products.variants.barcode")!.checkVisibility(),
    );
  });

  it("keeps the samples in view beside a long text", async () => {
    await pages.page.evaluate(() => document.getElementById("listProducts.cursor")!.scrollIntoView());
    const sample = await boxOf("#listProducts [data-tabs]");
    expect(sample.top).to.be.within(0, 900);
    expect(sample.left).to.be.above((await boxOf("#listProducts .text")).right);
  });

  it("shows samples in three languages, with the shop of the URL, and remembers the language", async () => {
    expect(await sampleOf("listProducts"))
      .to.include(`/api/v1/${shop.id}/products" \\`)
      .and.to.include("curl ");
    await within("listProducts", 'button[data-language="Python"]').click();
    expect(await sampleOf("createProduct"))
      .to.include('method="POST"')
      .and.to.include('"Idempotency-Key"');
    await pages.page.reload();
    expect(await sampleOf("createProduct")).to.include("json.dumps(");
    await within("listProducts", 'button[data-language="TypeScript"]').click();
    expect(await sampleOf("createProduct")).to.include('method: "POST"');
    expect(await read("#verification [data-tabs] pre:not([hidden])")).to.include("webhook.verify");
  });

  it("fills the samples of the chapters with the shop of the URL", async () => {
    const origin = await pages.page.$eval("main", (main) => (main as HTMLElement).dataset.origin);
    const url = `${origin}/api/v1/${shop.id}`;
    expect(await read("#introduction .card pre")).to.equal(`MERCHANT_API_KEY=sk_live_…\nSHOP=${url}`);
    expect(await read("#pagination .card pre")).to.include(`curl "${url}/orders?limit=1"`);
    await pages.page.goto(`${pages.server.url}/docs`);
    expect(await read("#pagination .card pre")).to.include('curl "$SHOP/orders?limit=1"');
  });

  it("sends requests with a key that it does not store, and shows the response headers", async () => {
    for (const title of ["Stoneware Mug", "Stoneware Bowl"]) await buildProduct(pages.server.em, shop, { title });
    await startTrying("listProducts");
    await fillField("listProducts", "limit", "1");
    expect(await sampleOf("listProducts")).to.include("products?limit=1");
    expect(await send("listProducts", 200))
      .to.include("Stoneware")
      .and.to.include('"limit": 1')
      .and.to.match(/ETag".+"/)
      .and.to.match(/Link<http:\/\/.+\/api\/v1.+rel="next"/);
    await pages.expectAccessible();
    const kept = await pages.page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    expect(kept).not.to.include(secret);
    const fields = await pages.page.$$eval('[name="key"]', (inputs) =>
      inputs.map((input) => (input as HTMLInputElement).value),
    );
    expect(new Set(fields)).to.deep.equal(new Set([secret]));
    await pages.page.reload();
    expect(await pages.page.$eval('[name="key"]', (input) => (input as HTMLInputElement).value)).to.equal("");
  });

  it("marks a header value that cannot be sent", async () => {
    await startTrying("createProduct");
    const explain = (name: string) =>
      pages.page.$eval(
        `#createProduct [name="${name}"]`,
        (input) => (input as HTMLInputElement).validity.patternMismatch,
      );
    for (const name of ["key", "Idempotency-Key"]) {
      expect(await explain(name), name).to.equal(false);
      await fillField("createProduct", name, "sail 🧵");
      expect(await explain(name), name).to.equal(true);
    }
  });

  it("sends the entered body and Idempotency-Key", async () => {
    await startTrying("createProduct");
    await fillField("createProduct", "Idempotency-Key", "sail-1");
    await fillField("createProduct", "body", '{"title": "Sail bag", "price": 89.5}');
    expect(await sampleOf("createProduct"))
      .to.include("Idempotency-Key: sail-1")
      .and.to.include("Sail bag");
    expect(await send("createProduct", 201))
      .to.match(/Location\/api\/v1\/shop_\w+\/products\/prod_/)
      .and.not.to.include("Idempotent-Replayed");
    await pages.page.$eval("#createProduct .answer", (answer) => answer.replaceChildren());
    expect(await send("createProduct", 201)).to.include("Idempotent-Replayedtrue");
    const answer = await fetch(`${pages.server.url}/api/v1/${shop.id}/products?search=sail`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect((await answer.json()).products).to.have.length(1);
    await fillField("createProduct", "body", '{"title": ""}');
    expect(await send("createProduct", 400)).to.include("Validation error");
  });

  it("omits empty headers, and sends nothing without the path parameters", async () => {
    const sent: (string | undefined)[] = [];
    pages.page.on("request", (request) => {
      if (request.url().includes("/api/v1/")) sent.push(request.headers()["idempotency-key"]);
    });
    await startTrying("createProduct");
    await fillField("createProduct", "Idempotency-Key", "");
    await send("createProduct", 201);
    expect(sent).to.deep.equal([undefined]);
    await startTrying("getProduct");
    await within("getProduct", 'button[type="submit"]').click();
    expect(
      await pages.page.$eval('#getProduct [name="productId"]', (input) => input.matches(":invalid:focus")),
    ).to.equal(true);
    expect(sent).to.have.length(1);
  });

  it("has its button after its fields", async () => {
    const isLast = await pages.page.$$eval(".try form", (forms) =>
      forms.every((form) => {
        const fields = [...form.querySelectorAll("input, textarea")];
        const button = form.querySelector("button")!;
        return fields.every((field) => field.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING);
      }),
    );
    expect(isLast).to.equal(true);
  });

  it("finds operations, fields and errors", async () => {
    await pages.page.keyboard.press("/");
    for (const [query, id, title] of [
      ["create a product", "createProduct", "Create a product"],
      ["too many requests", "503-too-many-requests-at-once", "503 Too many requests at once"],
      ["rate limit", "limits", "Limits"],
      ["barcode", "listProducts.response.products.variants.barcode", "barcode"],
      ["idempotency_key_reused", "code-idempotency_key_reused", "idempotency_key_reused"],
      ["webhok", "webhooks", "Webhooks"],
      ["custmer", "Customers", "Customers"],
      ["idempotancy", "code-idempotency_key_reused", "idempotency_key_reused"],
      ["import", "imports", "Import and export CSV files"],
      ["export", "export-lists", "Export lists"],
      ["CSV", "imports", "Import and export CSV files"],
    ]) {
      await pages.page.locator("#find").fill(query!);
      expect(await read("#results li:first-child"), query).to.include(title);
      await pages.page.keyboard.press("Enter");
      expect(await pages.page.evaluate(() => decodeURIComponent(location.hash))).to.equal(`#${id}`);
    }
    await pages.expectAccessible();
    await pages.page.locator("#find").fill("xylophone");
    await pages.see(copy.found(0));
    await pages.page.keyboard.press("Escape");
    expect(await isShown("#links")).to.equal(true);
  });

  it("shows the GraphQL schema on a separate page, with its contents and search", async () => {
    await pages.page.locator('#links a[href="/docs/graphql"]').click();
    await pages.page.waitForSelector("#graphql");
    expect((await read("#Mutation\\.createProduct")).replaceAll(/\s+/g, " "))
      .to.include("mutation, returns Product!")
      .and.to.include("input CreateProductInput! required");
    await pages.expectAccessible();
    await pages.page.locator("#find").fill("variantByCode");
    await pages.page.keyboard.press("Enter");
    expect(await pages.page.evaluate(() => location.hash)).to.equal("#Shop.variantByCode");
    await pages.page.locator('#Shop\\.variantByCode a[href="#VariantMatch"]').click();
    await pages.page.waitForFunction(
      () => Math.abs(document.getElementById("VariantMatch")!.getBoundingClientRect().top) < 80,
    );
    await pages.page.setViewport({ width: 390, height: 844 });
    expect(await pages.page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(390);
    await pages.expectAccessible();
  });

  it("hides the contents on a phone until they are opened", async () => {
    await pages.page.setViewport({ width: 390, height: 844 });
    expect(await isShown("#contents")).to.equal(false);
    expect((await boxOf("h1")).top).to.be.below(200);
    await pages.press("Contents");
    expect(await isShown("#contents")).to.equal(true);
    await pages.page.locator('#links a[href="#listOrders"]').click();
    await pages.page.waitForFunction(() => !document.querySelector("#contents")!.checkVisibility());
    expect(await pages.page.evaluate(() => location.hash)).to.equal("#listOrders");
  });

  it("copies the sample that is shown", async () => {
    await within("listProducts", "[data-copy]").click();
    await pages.see(copy.copied);
    expect(await pages.page.evaluate(() => navigator.clipboard.readText())).to.equal(await sampleOf("listProducts"));
  });
});
