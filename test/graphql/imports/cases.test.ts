import { expect } from "chai";
import { readdirSync, readFileSync } from "node:fs";
import { query } from "../../support/database.ts";
import { buildShop } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { Importing } from "../../support/shops/imports.ts";

const cases = new URL("../../core/imports/cases/", import.meta.url);
const TEE = "Title,Price,Size,Color,Stock\nTee,10.00,S,Red,5\nTee,11.00,M,Red,5\n";
const SIZES = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\ntee,Tee,Size,S,A,1\ntee,,,M,B,1\n";

/** Files that are imported before: a case, or the text of a file. */
const before: Record<string, string[]> = {
  "opt-order-b": ["opt-order-a"],
  "twice-d": ["twice-c"],
  "twice-h": ["twice-g"],
  "slug-b": ["slug-a"],
  "upd-opt-order": [TEE],
  "upd-opt-order-woo": [TEE],
  "upd-opt-rename-part": [SIZES],
  "upd-swap": [SIZES],
  "upd-blank-sku": [SIZES],
  "upd-blank-cells": ["Title,SKU,Barcode,Description,Price,Stock\nMug,MUG,4006381333931,Blue,7.00,4\n"],
  "shopify-inventory": [SIZES],
  "shopify-untracked": ["Title,SKU,Price,Stock\nMug,MUG,10.00,4\n"],
  "upd-case-sku": ["Title,SKU,Price\nMug,MUG,8.00\n"],
};

const STORED = `select concat_ws(' | ', handle, title, status, option_names, option_values, sku, barcode, price, case when tracked then stock::text else 'untracked' end, description) as line
  from (select handle, p.title, status, p.option_names::text, v.option_values::text, sku, barcode, price::text,
      inventory_quantity as stock, is_stock_tracked as tracked, description, position
    from products p join variants v on v.product_id = p.id where p.shop_id = $1 order by handle, position) rows
  union all select concat_ws(' | ', email, first_name, last_name, phone, note) from customers where shop_id = $1`;

/** Each case has the values that `cases/*.txt` shows: questions, problems, notes, and what the shop has after it. */
describe("Files as shops have them", () => {
  const server = useServer({ worker: true });

  async function describeCase(name: string): Promise<string> {
    const shop = await buildShop(server.em);
    const importing = await Importing.open(server, shop);
    const kind = name.startsWith("cus-") ? "CUSTOMERS" : "PRODUCTS";
    const read = (file: string) => (file.includes("\n") ? file : readFileSync(new URL(`${file}.csv`, cases)));
    for (const file of before[name] ?? []) await importing.run(kind, read(file), { stock: "SET" });
    const { id, itemCount, faultyCount, format, faulty } = await importing.check(kind, read(name));
    const { source, encoding, delimiter, questions, encodings, unreadColumns, notes } = format;
    const lines = [[source, encoding, JSON.stringify(delimiter), ...questions].join(" ")];
    if (unreadColumns.length > 0) lines.push(`not read: ${unreadColumns.join(", ")}`);
    for (const note of notes) lines.push(`note: ${note.message}: ${note.count}, row ${note.row}`);
    if (questions.includes("ENCODING")) {
      for (const each of encodings) lines.push(`${each.name}: ${each.samples.join(" / ")}`);
    }
    for (const { problems } of faulty) {
      for (const { row, column, value, message, remedy } of problems) {
        lines.push(`problem: ${row} ${column ?? "-"} ${JSON.stringify(value)} ${message} ${remedy}`);
      }
    }
    if (questions.length === 0 && itemCount > faultyCount) {
      await importing.change("startImport", { id, input: { existing: "UPDATE", stock: "SET" } });
      expect((await importing.ended(id)).refusals, name).to.deep.equal([]);
      const again = await importing.run(kind, read(name), { stock: "SET" });
      expect(again, `${name} again`).to.deep.include({ createdCount: 0, updatedCount: 0, refusedCount: 0 });
    }
    const stored = await query<{ line: string }>(server.databaseUrl, STORED, [shop.id]);
    return `${[...lines, ...stored.map(({ line }) => `> ${line}`)].join("\n")}\n`;
  }

  for (const name of readdirSync(cases).flatMap((file) => /^(.*)\.csv$/.exec(file)?.[1] ?? [])) {
    it(`become what they mean, and the same again: ${name}`, async () => {
      const described = await describeCase(name);
      expect(described).to.equal(readFileSync(new URL(`${name}.txt`, cases), "utf8"));
    });
  }
});
