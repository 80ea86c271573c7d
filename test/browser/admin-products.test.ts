import { expect } from "chai";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { ProductStatus } from "../../src/core/model/products/product.enums.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildProduct } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as products } from "../../admin/products/copy.ts";
import { copy as records } from "../../admin/records/copy.ts";
import { copy as stock } from "../../admin/stock/copy.ts";
import { copy as ui } from "../../admin/ui/copy.ts";
import { useWorld } from "../support/world.ts";

const { fields } = products;
const { metadata } = records;
const RENAME = `mutation ($shopId: ID!, $id: ID!, $title: String!) {
  updateProduct(shopId: $shopId, id: $id, input: { title: $title }) { id } }`;

describe(`Admin's products in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const world = useWorld(pages.server);
  const { shop, call } = world;

  const openAs = (role: Role, path: string) => pages.openAsRole(shop, role, path);
  const get = async (id: string) => (await call("GET", `/products/${id}`)).json.product;
  const idOfPage = () => new URL(pages.page.url()).pathname.split("/").at(-1)!;

  it("shows prices with the shop's decimals, even if the browser's differ", async () => {
    await world.open({ currency: "HUF" });
    await openAs(Role.MANAGER, "/products");
    await pages.press(products.create);
    await pages.fill(fields.title, "Washing machine");
    await pages.fill(fields.price("HUF"), "a lot");
    await pages.submit();
    await pages.see(ui.invalidAmount("12.50"));
    await pages.fill(fields.price("HUF"), "150000000.50");
    await pages.submit();
    await pages.see("150,000,000.50");
    expect((await get(idOfPage())).variants[0].price).to.equal(150_000_000.5);
  });

  it("names every mistake of a new product at once", async () => {
    await openAs(Role.MANAGER, "/products");
    await pages.press(products.create);
    await pages.submit();
    await pages.see(ui.required(fields.title));
    await pages.see(ui.required(fields.price("EUR")));
    await pages.fill(fields.price("EUR"), "a lot");
    await pages.submit();
    await pages.see(ui.required(fields.title));
    await pages.see(ui.invalidAmount("12.50"));
  });

  it("shows the stock of all variants and its history, with the orders that sold it", async () => {
    const { id } = await buildProduct(pages.server.em, shop, { inventoryQuantity: 7 });
    await openAs(Role.CLERK, `/products/${id}`);
    await pages.see(products.totalStock);
    await pages.see(stock.reasons.INITIAL);
    await pages.see("+7");
    await pages.see(id);
  });

  it("creates a product with a variant per size and color, and adds a variant", async () => {
    await openAs(Role.MANAGER, "/products");
    await pages.see(products.empty.title);
    await pages.press(products.create);
    await pages.fill(fields.title, "Shirt");
    await pages.fill(fields.price("EUR"), "19,90");
    await pages.press(fields.hasOptions);
    await pages.fill(fields.firstOption, "Size");
    await pages.fill(fields.firstValues, "S, M");
    await pages.fill(fields.option(2), "Color");
    await pages.fill(fields.values(2), "Red, Blue");
    await pages.fill(fields.stockPerVariant, "5");
    await pages.expectAccessible();
    await pages.submit();
    await pages.see("M / Blue");
    const created = await get(idOfPage());
    expect(created.title).to.equal("Shirt");
    expect(created.variants).to.have.length(4);
    expect(created.variants[3]).to.include({ price: 19.9, inventoryQuantity: 5 });

    await pages.press(products.addVariant);
    await pages.fill("Size", "L");
    await pages.fill("Color", "Red");
    await pages.fill(fields.price("EUR"), "21");
    await pages.submit();
    await pages.see("L / Red");
    await pages.press(products.actionsFor("S / Blue"));
    await pages.press(products.deleteVariant);
    await pages.submit();
    await pages.miss("S / Blue");
    const titles = (await get(idOfPage())).variants.map(({ title }: { title: string }) => title);
    expect(titles).to.deep.equal(["S / Red", "M / Red", "M / Blue", "L / Red"]);
    await pages.expectAccessible();
  });

  it("shows errors at their fields", async () => {
    const other = await buildProduct(pages.server.em, shop, { title: "Mug" });
    const { id } = await buildProduct(pages.server.em, shop, { title: "Plate" });
    await openAs(Role.OWNER, `/products/${id}`);
    await pages.press(products.edit);
    await pages.fill(fields.handle, other.handle);
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] [name="handle"][aria-invalid="true"]');
    expect(await get(id)).to.include({ handle: "plate" });
  });

  it("edits a product and its variant, and deletes it", async () => {
    const { id } = await buildProduct(pages.server.em, shop, { title: "Mug" });
    await openAs(Role.OWNER, `/products/${id}`);
    await pages.press(products.edit);
    await pages.fill(fields.title, "Large mug");
    await pages.fill(fields.description, "Holds half a liter.");
    await pages.choose(products.status, products.statuses.ARCHIVED);
    await pages.submit();
    await pages.see(products.editDone);
    await pages.see("Holds half a liter.");
    expect(await get(id)).to.include({ title: "Large mug", handle: "mug", status: "ARCHIVED" });
    await pages.press(products.actionsFor(records.defaultVariant));
    await pages.press(products.editVariant);
    await pages.fill(fields.price("EUR"), "12.50");
    await pages.fill(fields.sku, "MUG-L");
    await pages.submit();
    await pages.see("€12.50");
    expect((await get(id)).variants[0]).to.include({ price: 12.5, sku: "MUG-L" });
    await pages.press(products.delete);
    await pages.submit();
    await pages.see(products.empty.title);
    await pages.seeFocusedHeading();
    expect((await call("GET", `/products/${id}`)).status).to.equal(404);
  });

  it("edits the metadata of a product and of its variant", async () => {
    const { id } = await buildProduct(pages.server.em, shop, { title: "Mug" });
    await openAs(Role.MANAGER, `/products/${id}`);
    await pages.see(metadata.none);
    await pages.press(metadata.edit);
    await pages.fill(metadata.key, "erp id");
    await pages.fill(metadata.value, "4711");
    await pages.submit();
    await pages.page.waitForSelector('[role="dialog"] [name="metadata.0.key"][aria-invalid="true"]');
    await pages.fill(metadata.key, "erp_id");
    await pages.submit();
    await pages.see("4711");
    await pages.press(products.actionsFor(records.defaultVariant));
    await pages.press(products.metadata);
    await pages.fill(metadata.key, "wms");
    await pages.fill(metadata.value, "S-1");
    await pages.submit();
    await pages.see("wms: S-1");
    await pages.press(metadata.edit);
    await pages.expectAccessible();
    await pages.fill("erp_id", "");
    await pages.submit();
    await pages.see(metadata.none);
  });

  it("preserves concurrent changes by others", async () => {
    const { id } = await buildProduct(pages.server.em, shop, { title: "Mug" });
    const staff = await openAs(Role.OWNER, `/products/${id}`);
    await pages.press(products.edit);
    await askGraphql(pages.server, RENAME, { shopId: shop.id, id, title: "Cup" }, await logIn(pages.server, staff));
    await pages.fill(fields.description, "Blue.");
    await pages.submit();
    await pages.see(records.conflict);
    await pages.submit();
    await pages.see(products.editDone);
    expect(await get(id)).to.include({ title: "Cup", description: "Blue." });
  });

  it("lists, searches and filters by the URL", async () => {
    const { em } = pages.server;
    await buildProduct(em, shop, { title: "Blue mug", sku: "MUG-1", inventoryQuantity: 3 });
    await buildProduct(em, shop, { title: "Old plate", status: ProductStatus.ARCHIVED });
    await openAs(Role.CLERK, "/products");
    await pages.see("Old plate");
    await pages.expectAccessible();
    await pages.fill(products.search, "mug-1");
    await pages.miss("Old plate");
    expect(pages.page.url()).to.include("search=mug-1");
    await pages.choose(products.status, products.statuses.ARCHIVED);
    await pages.see(products.noMatch.title);
    await pages.fill(products.search, "plate");
    await pages.see("Old plate");
  });

  it("is read-only for viewers, with an explanation", async () => {
    const { id } = await buildProduct(pages.server.em, shop, { title: "Mug" });
    await openAs(Role.VIEWER, `/products/${id}`);
    await pages.see(records.readOnly("viewer", products.readOnly));
    const buttons = await pages.page.$$eval("main button", (found) => found.map((button) => button.textContent));
    // Only the one that copies the ID, which is an icon.
    expect(buttons).to.deep.equal([""]);
  });
});
