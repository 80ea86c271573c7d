import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";
import { customerFields } from "../../src/core/model/customers/customer.entity.ts";
import { orderFields } from "../../src/core/model/orders/order.entity.ts";
import { productFields, variantFields } from "../../src/core/model/products/product.entity.ts";
import { shopSettings } from "../../src/core/model/shops/shop.entity.ts";
import { endpointSettings } from "../../src/core/model/webhooks/webhook-endpoint.entity.ts";
import { createProduct } from "../../src/rest/products.ts";

/** The fields that requests can set, and the folder of Admin's forms for them. */
const forms = [
  ["products", { ...productFields, ...variantFields }],
  ["customers", customerFields],
  ["orders", orderFields],
  ["settings", shopSettings],
  ["endpoints", endpointSettings],
] as const;

/** What version 1 of the REST API leaves out of a new product. It is closed. */
const notInVersion1 = ["description", "handle", "optionNames", "optionValues", "barcode", "isStockTracked"];

describe("Each field that requests can set", () => {
  for (const [folder, fields] of forms) {
    it(`has a control in Admin: ${folder}`, async () => {
      const texts: string[] = [];
      for await (const file of glob(`admin/${folder}/**/*.tsx`)) texts.push(await readFile(file, "utf8"));
      const words = new Set(texts.join("\n").match(/\w+/g));
      expect(Object.keys(fields).filter((name) => !words.has(name))).to.deep.equal([]);
    });
  }

  it("is in REST's new product, or left out of version 1 on purpose", () => {
    const { shape } = createProduct.body as unknown as { shape: object };
    expect(Object.keys({ ...productFields, ...variantFields })).to.have.members([
      ...Object.keys(shape),
      ...notInVersion1,
    ]);
  });
});
