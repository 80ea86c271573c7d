import { expect } from "chai";
import { useWorld } from "../support/world.ts";

describe("POST /products", () => {
  const world = useWorld();
  const { shop, open } = world;

  async function create(body: Record<string, unknown>) {
    return world.call("POST", "/products", { body });
  }

  async function createHandle(title: string): Promise<string> {
    const { status, json } = await create({ title, price: 1 });
    expect(status, title).to.equal(201);
    return json.product.handle;
  }

  /** The only product of the shop, as the list shows it. */
  async function listed() {
    const { json } = await world.call("GET", "/products");
    expect(json.products).to.have.length(1);
    return json.products[0];
  }

  it("trims the title and the sku", async () => {
    const { json } = await create({ title: " \t Oak  Tray\n\u00a0", price: 1, sku: "\n S  1\u00a0\r\n" });
    expect(json.product).to.include({ title: "Oak  Tray", handle: "oak-tray" });
    expect((await listed()).variants[0].sku).to.equal("S  1");
  });

  it("accepts the limits of every field", async () => {
    for (const body of [
      { title: "a", price: 0, sku: "", inventoryQuantity: 0 },
      { title: "🍵".repeat(255), price: 999_999_999_999.99, sku: "🍵".repeat(64), inventoryQuantity: 1_000_000_000 },
      { title: ` ${"a".repeat(255)} `, price: -0, status: "ARCHIVED" },
    ]) {
      const { status } = await create(body);
      expect(status, JSON.stringify(body)).to.equal(201);
    }
  });

  describe("price", () => {
    for (const [currency, fine, tooFine] of [
      ["EUR", 1.25, 1.255],
      ["JPY", 1250, 1250.5],
      ["HUF", 12.5, 12.555],
      ["COP", 10_990.5, 10_990.505],
      ["IDR", 150_000_000.25, 15_000.255],
      ["IRR", 850_000_000, 0.001],
      ["CLF", 0.0001, 0.000_01],
      ["CLF", 99_999_999_999.9999, 0.000_01],
      ["KWD", 1.255, 1.2555],
    ] as const) {
      it(`has at most the decimals of ${currency}`, async () => {
        await open({ currency });
        expect((await create({ title: "Fine", price: fine })).status).to.equal(201);
        expect((await listed()).variants[0].price).to.equal(fine);
        for (const price of [tooFine, 0.00001, 1e-7]) {
          const { status, json } = await create({ title: "Too fine", price });
          expect(status, String(price)).to.equal(400);
          expect(json.details).to.have.length(1);
          expect(json.details[0]).to.include({ in: "body", path: "price", code: "too_many_decimals" });
        }
      });
    }
  });

  describe("handle", () => {
    it("is unique with concurrent creates of the same title", async () => {
      const handles = await Promise.all(Array.from({ length: 30 }, () => createHandle("Gift box")));
      expect(new Set(handles)).to.have.property("size", 30);
    });

    it("may exist in another shop", async () => {
      await createHandle("Gift box");
      await open();
      expect(await createHandle("Gift box")).to.equal("gift-box");
    });

    it("has a default for titles without a slug", async () => {
      const handles = [];
      for (const title of ["🍵", "!!!", "—", "%"]) handles.push(await createHandle(title));
      expect(new Set(handles)).to.have.property("size", handles.length);
      for (const handle of handles) expect(handle).to.match(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    });

    it("has at most 200 characters, however often the title is used", async () => {
      for (const letter of ["a", "木", "\u{20000}"]) {
        const handles = [];
        for (let count = 0; count < 12; count += 1) handles.push(await createHandle(letter.repeat(255)));
        expect(new Set(handles)).to.have.property("size", 12);
        expect(handles[0]).to.equal(letter.repeat(200));
        expect(handles[1]).to.equal(`${letter.repeat(198)}-2`);
        for (const handle of handles) expect([...handle], handle).to.have.length.at.most(200);
      }
    });

    it("preserves letters without a transliteration", async () => {
      expect(await createHandle("木のボウル")).to.equal("木のボウル");
      expect(await createHandle("木のボウル")).to.equal("木のボウル-2");
      const { json, headers } = await create({ title: "急須", price: 1 });
      expect(json.product.handle).to.equal("急須");
      expect(headers.get("location")).to.equal(`/api/v1/${shop.id}/products/${json.product.id}`);
    });
  });
});
