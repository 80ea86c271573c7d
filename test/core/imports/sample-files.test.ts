import { expect } from "chai";
import { readdirSync, readFileSync } from "node:fs";
import { describeFile, files, readSample } from "../../support/imports.ts";

describe("Files of other systems", () => {
  for (const file of readdirSync(files).filter((name) => name.endsWith(".csv"))) {
    const name = file.replace(/\.csv$/, "");
    it(`are read: ${name}`, async () => {
      expect(describeFile(await readSample(name))).to.equal(readFileSync(new URL(`${name}.txt`, files), "utf8"));
    });
  }

  it("are read with the answers to questions", async () => {
    const priceOf = async (decimalMark: "POINT" | "COMMA") => {
      const { items } = await readSample("spreadsheet-ambiguous", { decimalMark });
      return (items[0]!.input as { variants: { price: string }[] }).variants[0]!.price;
    };
    expect(await priceOf("POINT")).to.equal("1234.00");
    expect(await priceOf("COMMA")).to.equal("1.234");
    const mapping = [
      { field: "SKU" as const, column: 0 },
      { field: "TITLE" as const, column: 1 },
      { field: "PRICE" as const, column: 2 },
    ];
    const { format, items } = await readSample("spreadsheet-unknown", { mapping });
    expect(format.questions).to.deep.equal([]);
    expect(items[0]!.input).to.deep.equal({ title: "Chair", variants: [{ sku: "A", price: "12.00" }] });
  });
});
