import { expect } from "chai";
import fc from "fast-check";
import { escapeFormula, unescapeFormula } from "../../../src/core/csv/columns.ts";
import { MetadataEntry } from "../../../src/core/model/metadata.entity.ts";
import { buildCustomer, buildProduct, buildShop } from "../../support/factories.ts";
import { holds } from "../../support/properties/holds.ts";
import { useServer } from "../../support/server.ts";
import { Importing } from "../../support/shops/imports.ts";
import { openWorld } from "../../support/world.ts";

const ODD = [
  "=1+1",
  "'=1+1",
  "-5",
  "'-5",
  "+49 1",
  "@home",
  "a;b",
  'say "hi"',
  "1,234.56",
  "007",
  "ＡＢＣ",
  "TRUE",
  "'quoted'",
];

describe("An export", () => {
  const server = useServer({ worker: true });

  async function exportOf({ shopId, headers }: Importing, list: string): Promise<string> {
    const response = await fetch(`${server.url}/exports/${shopId}/${list}.csv`, { headers: { ...headers } });
    expect(response.status).to.equal(200);
    return Buffer.from(await response.arrayBuffer()).toString();
  }

  it("of products is the same, byte for byte, after its import into an empty shop, and changes nothing there again", async () => {
    const world = await openWorld(server);
    for (const [index, title] of ODD.entries()) {
      const variants = ["S", "M", "L"].map((size, number) => ({
        optionValues: [size, title],
        sku: `${title}-${number}`,
        barcode: `0${index}${number}`,
        price: `${index}.${number}0`,
        inventoryQuantity: index * number,
        metadata: [{ key: "erp.id", value: `${title}${size}` }],
      }));
      const description = `${title}\r\n<b>bold</b> &amp; "quoted"\n\n \ttab `;
      const status = ["ACTIVE", "DRAFT", "ARCHIVED"][index % 3];
      await world.run("createProduct", {
        input: {
          title,
          description,
          status,
          optionNames: ["Size", "=Kind"],
          variants,
          metadata: [{ key: `ERP_${index % 3}`, value: title }],
        },
      });
    }
    await buildProduct(server.em, world.shop, { title: "Mug" });
    const first = await exportOf(await Importing.open(server, world.shop), "products");
    expect(first.split("\r\n")[0]).to.equal(
      "\uFEFFhandle,title,description,status,option1Name,option1Value,option2Name,option2Value,option3Name,option3Value,sku,barcode,price,inventoryQuantity,isStockTracked,metadata.ERP_0,metadata.ERP_1,metadata.ERP_2,variantMetadata.erp.id",
    );

    const target = await Importing.open(server, await buildShop(server.em));
    const report = await target.run("PRODUCTS", first);
    expect(report).to.deep.include({
      state: "FINISHED",
      createdCount: ODD.length + 1,
      problemCount: 0,
      refusedCount: 0,
    });
    expect(await exportOf(target, "products")).to.equal(first);
    const again = await target.run("PRODUCTS", first, { existing: "UPDATE", stock: "SET" });
    expect(again).to.deep.include({ unchangedCount: ODD.length + 1, createdCount: 0, updatedCount: 0 });
  });

  it("of customers is the same after its import", async () => {
    const source = await buildShop(server.em);
    for (const [index, text] of ODD.entries()) {
      const note = index === 0 ? null : `${text}\n${text} `;
      const phone = index % 2 === 0 ? "+49 30 1234567" : null;
      const { id: recordId } = await buildCustomer(server.em, source, {
        email: `P${index}@example.com`,
        firstName: text,
        lastName: "",
        phone,
        note,
      });
      const entry = { shopId: source.id, recordId, kind: "cus", key: "CRM.id", value: text };
      await server.em.fork().insert(MetadataEntry, entry);
    }
    const first = await exportOf(await Importing.open(server, source), "customers");
    const target = await Importing.open(server, await buildShop(server.em));
    expect(await target.run("CUSTOMERS", first)).to.deep.include({ createdCount: ODD.length, problemCount: 0 });
    expect(await exportOf(target, "customers")).to.equal(first);
    const emptied = "email,note,metadata.CRM.id,metadata.a b\nP1@example.com,,,\nP2@example.com,,,x";
    const { faulty, ...checked } = await target.check("CUSTOMERS", emptied);
    expect(checked).to.include({ itemCount: 2, faultyCount: 1 });
    expect(faulty[0].problems[0]).to.include({ row: 3, column: "metadata.a b", value: "x" });
    expect((await target.run("CUSTOMERS", emptied)).unchangedCount).to.equal(1);
  });

  holds("restores every text that it makes harmless", 500, () =>
    fc.asyncProperty(fc.stringMatching(/^['=+\-@\t\r\n＝5.]{0,5}a?$/), async (text) => {
      const cell = escapeFormula(text);
      expect(unescapeFormula(cell)).to.equal(text);
      expect(cell).to.match(/^($|['a5.]|-\d+(\.\d+)?$)/);
    }),
  );
});
