import { expect } from "chai";
import fc from "fast-check";
import { operator } from "../../../src/core/access/actor.ts";
import { createImport, requestCheck, startImport, storeChunk } from "../../../src/core/imports/change-import.ts";
import { checkFile } from "../../../src/core/imports/check-file.ts";
import { runBatch } from "../../../src/core/imports/run-import.ts";
import { Import } from "../../../src/core/model/imports/import.entity.ts";
import { requireShop } from "../../../src/core/shops/shops.ts";
import { buildShop } from "../../support/factories.ts";
import { holds } from "../../support/properties/holds.ts";
import { useServer } from "../../support/server.ts";

const columns = {
  handle: ["", "mug", "mug-2", "tee", "cup"],
  title: ["", "Mug", "mug ", "Mug!", "Tee", "Cup"],
  option1Name: ["", "Size", "Color"],
  option1Value: ["", "S", "M"],
  option2Name: ["", "Color", "size"],
  option2Value: ["", "Red", "S"],
  sku: ["", "", "A", "a", "B", "C"],
  price: ["1.00", "2.00", "", "x"],
  inventoryQuantity: ["", "0", "3", "-2"],
  isStockTracked: ["", "", "true", "false"],
};
type Column = keyof typeof columns;

const row = fc.record(
  Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, fc.constantFrom(...values)])) as Record<
    Column,
    fc.Arbitrary<string>
  >,
);

/** A file of this service or, with other names of columns, of another one, which may lack columns. */
const file = fc
  .record({
    rows: fc.array(row, { minLength: 1, maxLength: 8 }),
    isOwn: fc.boolean(),
    left: fc.subarray(Object.keys(columns) as Column[], { maxLength: 4 }),
  })
  .map(({ rows, isOwn, left }) => {
    const names = (Object.keys(columns) as Column[]).filter((name) => !left.includes(name) || name === "sku");
    const header = names.map((name) => (isOwn ? name : name.toUpperCase())).join(",");
    return [header, ...rows.map((each) => names.map((name) => each[name]).join(","))].join("\n");
  });

describe("The check of a file", () => {
  const server = useServer();

  holds("shows all that the import refuses, and a second import changes nothing", 40, () =>
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 3 }), fc.boolean(), async (files, allowsOverselling) => {
      const { em } = server;
      const { id: shopId } = await buildShop(em, { allowsOverselling });
      const operation = { em, shop: await requireShop(em, shopId), actor: operator };
      const run = async (text: string) => {
        const bytes = Buffer.from(text);
        const id = await createImport(operation, { kind: "PRODUCTS", fileName: "f.csv", fileSize: bytes.length });
        await storeChunk(operation, id, 0, bytes);
        await requestCheck(operation, id, { decimalMark: "POINT" });
        await checkFile(em, { shopId, id }, new AbortController().signal);
        const read = () => em.findOneOrFail(Import, { shopId, id }, { disableIdentityMap: true });
        const { itemCount, faultyCount, format } = await read();
        if (itemCount === faultyCount || format!.questions.length > 0) return undefined;
        await startImport(operation, id, { existing: "UPDATE", stock: "SET", sendWebhooks: false });
        while ((await runBatch(em, { shopId, id })) === "more");
        return read();
      };
      for (const text of files) {
        expect((await run(text))?.refusals ?? [], text).to.deep.equal([]);
        const { createdCount = 0, updatedCount = 0, refusals = [] } = (await run(text)) ?? {};
        expect({ createdCount, updatedCount, refusals }, text).to.deep.equal({
          createdCount: 0,
          updatedCount: 0,
          refusals: [],
        });
      }
    }),
  );
});
