import { expect } from "chai";
import fc from "fast-check";
import { csvHeader, csvRows } from "../../../src/core/csv/csv.ts";
import { rowsOfProduct } from "../../../src/core/exports/lists.ts";
import { customerColumns, productColumns } from "../../../src/core/csv/columns.ts";
import { newRecordSchema } from "../../../src/core/model/editable.ts";
import { customerFields } from "../../../src/core/model/customers/customer.entity.ts";
import { productFields } from "../../../src/core/model/products/product.entity.ts";
import { productSchemas } from "../../../src/core/products/product.inputs.ts";
import { readFile } from "../../support/imports.ts";
import { anyText } from "../../support/properties/arbitraries.ts";
import { holds } from "../../support/properties/holds.ts";

const EUR = { currency: "EUR", currencyDecimals: 2 };

/** Texts with everything that CSV, spreadsheets and this reader give a meaning. */
const tricky = fc.oneof(
  anyText,
  fc.string({ unit: fc.constantFrom(..."=+-@'\"\t\r\n,; aä€<p>&\ufeff\ufffd".split("")), maxLength: 12 }),
);

const options = fc.uniqueArray(tricky, { maxLength: 3 }).chain((optionNames) =>
  fc.record({
    optionNames: fc.constant(optionNames),
    variants: fc.array(
      fc.record({
        optionValues: fc.tuple(...optionNames.map(() => tricky)),
        sku: tricky,
        barcode: tricky,
        price: fc.nat(200_000_000).map((cents) => (cents / 100).toFixed(2)),
        inventoryQuantity: fc.nat(1_000_000_000),
        isStockTracked: fc.constant(true),
      }),
      { minLength: 1, maxLength: optionNames.length === 0 ? 1 : 5 },
    ),
  }),
);

const product = fc
  .tuple(
    fc.record({
      title: tricky,
      description: fc.option(tricky),
      status: fc.constantFrom("ACTIVE" as const, "DRAFT" as const, "ARCHIVED" as const),
    }),
    options,
  )
  .map(([fields, others]) => productSchemas(EUR).createProduct.safeParse({ ...fields, ...others }).data)
  .filter((parsed) => parsed !== undefined);

const handle = tricky
  .map((text) => productFields.handle.rule.safeParse(text).data)
  .filter((parsed) => parsed !== undefined);

const products = fc
  .array(fc.record({ handle: fc.oneof(handle, fc.uuid()), product }), { minLength: 1, maxLength: 6 })
  .map((list) => list.map(({ handle: own, product: fields }, index) => ({ handle: `${own}${index}`, ...fields })));

const customer = fc
  .record({
    email: fc.emailAddress(),
    firstName: tricky,
    lastName: tricky,
    phone: fc.option(tricky),
    note: fc.option(tricky),
  })
  .map((fields) => newRecordSchema(customerFields).safeParse(fields).data)
  .filter((parsed) => parsed !== undefined);

/** An empty text and none are the same cell. */
const orNull = (text: string | null) => text || null;

describe("CSV", () => {
  holds("gives back the products that an export wrote", 100, () =>
    fc.asyncProperty(products, fc.integer({ min: 1, max: 50 }), async (list, chunkSize) => {
      const rows = list.flatMap((each) => rowsOfProduct(each as never));
      const { format, items } = await readFile(
        csvHeader(productColumns) + csvRows(productColumns, rows),
        { emptyCells: "CLEAR" },
        chunkSize,
      );
      expect(format.source).to.equal("MERCHANT_API");
      expect(items.flatMap(({ problems }) => problems)).to.deep.equal([]);
      const expected = list.map((each) => ({ ...each, description: orNull(each.description) }));
      expect(items.map(({ input }) => ({ ...input, foundBy: undefined }))).to.deep.equal(
        expected.map((each) => ({ ...each, foundBy: undefined })),
      );
    }),
  );

  holds("gives back the customers that an export wrote", 100, () =>
    fc.asyncProperty(fc.array(customer, { minLength: 1, maxLength: 6 }), async (list) => {
      const file = csvHeader(customerColumns) + csvRows(customerColumns, list);
      const { items } = await readFile(file, { kind: "CUSTOMERS", emptyCells: "CLEAR" });
      expect(items.map(({ input }) => input)).to.deep.equal(list.map((each) => ({ ...each, note: orNull(each.note) })));
    }),
  );

  it("is read in UTF-8 behind a byte order mark, also with letters of two scripts in a word", async () => {
    const { format, items } = await readFile("\ufeffTitle,Price\nיִꜢ,1\n");
    expect(format).to.include({ encoding: "UTF-8" }).and.to.have.deep.property("questions", []);
    expect(items).to.have.nested.property("[0].input.title", "יִꜢ");
  });

  const encodings = {
    "UTF-8": (text: string) => Buffer.from(text),
    "UTF-8 with a mark": (text: string) => Buffer.from(`\ufeff${text}`),
    "UTF-16LE": (text: string) => Buffer.from(text, "utf16le"),
    "UTF-16LE with a mark": (text: string) => Buffer.from(`\ufeff${text}`, "utf16le"),
    "UTF-16BE": (text: string) => Buffer.from(text, "utf16le").swap16(),
    "UTF-16BE with a mark": (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
    "Windows-1252": (text: string) => Buffer.from(text.replaceAll("€", "\x80"), "latin1"),
  };
  for (const [name, encode] of Object.entries(encodings)) {
    it(`is read in ${name}, with every delimiter and line break, in chunks of every size`, async () => {
      for (const delimiter of [",", ";", "\t"]) {
        for (const lineBreak of ["\n", "\r\n", "\r"]) {
          const lines = [
            ["Title", "Description", "Price"],
            ["Crème brûlée", `"Süß ${delimiter} ""fein""${lineBreak}zweite Zeile"`, `"4,50 €"`],
            ["Thé", "", "3.00"],
          ];
          const file = encode(lines.map((line) => line.join(delimiter) + lineBreak).join(""));
          const expected = [
            ["Crème brûlée", `Süß ${delimiter} "fein"${lineBreak}zweite Zeile`, "4.50"],
            ["Thé", undefined, undefined],
          ];
          for (const chunkSize of [1, 7, 1000]) {
            const { format, items } = await readFile(file, { decimalMark: "COMMA" }, chunkSize);
            expect([format.encoding, format.delimiter]).to.deep.equal([name.split(" ")[0], delimiter]);
            expect(format.questions).to.deep.equal([]);
            const read = items.map(
              ({ input }) => input as { title: string; description: string; variants: { price: string }[] },
            );
            expect(
              read.map(({ title, description, variants }) => [title, description, variants[0]!.price]),
            ).to.deep.equal(expected);
          }
        }
      }
    });
  }

  it("finds the decimal mark of a column", async () => {
    const markOf = async (prices: string[], currency = EUR) => {
      const file = `Title\tPrice\n${prices.map((price, index) => `Item ${index}\t${price}\n`).join("")}`;
      const { format } = await readFile(file, { currency });
      return format.questions[0] ?? format.decimalMark;
    };
    expect(await markOf(["1.234", "5,00 €"])).to.equal("COMMA");
    expect(await markOf(["1,234", "$5.00"])).to.equal("POINT");
    expect(await markOf(["1.234.567"])).to.equal("COMMA");
    expect(await markOf(["1,234.5", "1.234"])).to.equal("POINT");
    expect(await markOf(["12", "0.500"])).to.equal("POINT");
    expect(await markOf(["CHF 1’234.00", "7"])).to.equal("POINT");
    expect(await markOf(["12", "7"])).to.equal(null);
    expect(await markOf(["1.234", "2.000"])).to.equal("DECIMAL_MARK");
    expect(await markOf(["5.00", "5,00"])).to.equal("DECIMAL_MARK");
    expect(await markOf(["1.234"], { currency: "JPY", currencyDecimals: 0 })).to.equal("COMMA");
  });
});
