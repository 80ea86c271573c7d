import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { CurrentShop } from "../../src/core/model/shops/current-shop.ts";
import { copy as home } from "../../admin/home/copy.ts";
import { copy } from "../../admin/imports/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";
import { query } from "../support/database.ts";
import { makeDirectory } from "../support/directory.ts";
import { buildProduct, buildShop, buildStaff } from "../support/factories.ts";
import { useAdminPages } from "./admin-pages.ts";

const SHOPIFY = `Handle,Title,Body (HTML),Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Barcode,Image Src,Status
tea-pot,Tea pot,<p>Holds <b>one liter</b>.</p>,Acme,Color,Blue,POT-B,4,39.00,,https://cdn.example/1.jpg,active
tea-pot,,,,,Red,POT-R,2,41.00,,,
cup,Cup <script>,,Acme,Title,Default Title,CUP,10,7.50,,,draft
saucer,Saucer,,Acme,Title,Default Title,SAUCER,5,free,,,active
`;
const SHEET = `Article name;Cost of one\nBowl;1,250\nPlate;2,500\n`;

describe("Admin: imports", () => {
  const pages = useAdminPages({ worker: true });
  let shop: CurrentShop;

  const open = async (path: string) => pages.openAs(await buildStaff(pages.server.em, shop), `/${shop.id}${path}`);
  const choose = async (name: string, text: string) => {
    const file = join(await makeDirectory(), name);
    await writeFile(file, text);
    const field = await pages.page.waitForSelector("input[type=file]");
    await (field as unknown as { uploadFile: (path: string) => Promise<void> }).uploadFile(file);
  };
  const products = () =>
    query<{ title: string; price: string; stock: number }>(
      pages.server.databaseUrl,
      `select products.title, price::text, inventory_quantity as stock from products join variants on product_id = products.id
      where products.shop_id = $1 order by handle, position`,
      [shop.id],
    );

  beforeEach(async () => {
    shop = await buildShop(pages.server.em);
  });

  it("import a file from Shopify, from the first steps to the report", async () => {
    await open("");
    await pages.press(home.firstSteps.product.action);
    await pages.press(records.import);
    await pages.see(copy.noEarlier);
    await pages.expectAccessible();
    await choose("shopify.csv", SHOPIFY);

    await pages.see(copy.found(copy.sources.SHOPIFY, copy.counts.PRODUCTS(3, "3")));
    await pages.see("Cup <script>");
    await pages.see("€39.00 – €41.00");
    await pages.see(copy.hasProblems);
    await pages.seeCell("Variant Price");
    await pages.expectAccessible();
    await pages.choose(copy.start.existing.PRODUCTS, copy.start.existingChoices.UPDATE);
    await pages.choose(copy.start.stock, copy.start.stockChoices.SET);
    await pages.press(copy.start.silent);
    await pages.press(copy.start.submit(copy.counts.PRODUCTS(2, "2")));

    await pages.see(copy.counted.createdCount);
    await pages.see(copy.ended);
    await pages.see("staff-");
    await pages.expectAccessible();
    expect(await products()).to.deep.equal([
      { title: "Cup <script>", price: "7.50", stock: 10 },
      { title: "Tea pot", price: "39.00", stock: 4 },
      { title: "Tea pot", price: "41.00", stock: 2 },
    ]);

    await pages.press(copy.another);
    await pages.see("shopify.csv");
    await pages.expectAccessible();
  });

  it("ask for the columns and the decimal mark of a spreadsheet", async () => {
    await open("/products/import");
    await choose("sheet.csv", SHEET);
    await pages.see(copy.questions.title);
    await pages.choose(copy.fields.PRODUCTS.TITLE, "Article name");
    await pages.choose(copy.fields.PRODUCTS.PRICE, "Cost of one");
    await pages.expectAccessible();
    await pages.press(copy.questions.submit);
    await pages.choose(copy.questions.decimalMark, copy.questions.decimalMarks.COMMA);
    await pages.press(copy.questions.submit);
    await pages.see("Bowl");
    await pages.press(copy.start.submit(copy.counts.PRODUCTS(2, "2")));
    await pages.see(copy.ended);
    expect((await products()).map(({ price }) => price)).to.deep.equal(["1.25", "2.50"]);
  });

  it("says what is wrong with a file that cannot be read, and can be left", async () => {
    await open("/customers/import");
    await choose("empty.csv", "");
    await pages.see(copy.wrongSize);
    await choose("customers.csv", "email,firstName\nada@example.com,Ada\n");
    await pages.see("ada@example.com");
    await pages.press(copy.discard);
    await pages.see(copy.states.CANCELLED);
  });

  it("link to an export with the filter of the list", async () => {
    await buildProduct(pages.server.em, shop, { title: "Mug" });
    await buildProduct(pages.server.em, shop, { title: "Plate" });
    await open("/products?search=mug&status=ACTIVE");
    const link = await pages.page.waitForSelector(`::-p-aria([name="${records.export}"][role="link"])`);
    const file = await link!.evaluate(async (element) =>
      (await fetch((element as unknown as { href: string }).href)).text(),
    );
    expect(file.split("\r\n").slice(1, -1)).to.deep.equal(["mug,Mug,,ACTIVE,,,,,,,,,10.00,0,true"]);
  });
});
