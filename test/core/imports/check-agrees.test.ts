import { expect } from "chai";
import fc from "fast-check";
import { operator } from "../../../src/core/access/actor.ts";
import type { Operation } from "../../../src/core/access/operation.ts";
import { createImport, requestCheck, startImport, storeChunk } from "../../../src/core/imports/change-import.ts";
import { checkFile } from "../../../src/core/imports/check/check-file.ts";
import { findExistingProducts } from "../../../src/core/imports/importers/find-products.ts";
import { runBatch } from "../../../src/core/imports/run-import.ts";
import { Import, StoredItem } from "../../../src/core/model/imports/import.entity.ts";
import { skuKey, type ImportedProduct, type ImportProblem } from "../../../src/core/model/imports/imported.ts";
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
const fileOf = (maxLength: number) =>
  fc
    .record({
      rows: fc.array(row, { minLength: 1, maxLength }),
      isOwn: fc.boolean(),
      left: fc.subarray(Object.keys(columns) as Column[], { maxLength: 4 }),
    })
    .map(({ rows, isOwn, left }) => {
      const names = (Object.keys(columns) as Column[]).filter((name) => !left.includes(name) || name === "sku");
      const header = names.map((name) => (isOwn ? name : name.toUpperCase())).join(",");
      return [header, ...rows.map((each) => names.map((name) => each[name]).join(","))].join("\n");
    });

/** Problems of cells that make no input: there is nothing that an import could refuse. */
const UNREADABLE = /^(Is not |The cell is empty|Option \d is missing|Another row of the product)/;

describe("The check of a file", () => {
  const server = useServer();

  async function openShop(allowsOverselling: boolean): Promise<Operation> {
    const { id } = await buildShop(server.em, { allowsOverselling });
    return { em: server.em, shop: await requireShop(server.em, id), actor: operator };
  }

  async function check(operation: Operation, text: string) {
    const { em, shop } = operation;
    const bytes = Buffer.from(text);
    const id = await createImport(operation, { kind: "PRODUCTS", fileName: "f.csv", fileSize: bytes.length });
    await storeChunk(operation, id, 0, bytes);
    await requestCheck(operation, id, { decimalMark: "POINT" });
    await checkFile(em, { shopId: shop.id, id }, new AbortController().signal);
    const { format } = await em.findOneOrFail(Import, { shopId: shop.id, id }, { disableIdentityMap: true });
    const key = { shopId: shop.id, importId: id };
    const items = await em.find(StoredItem, key, { orderBy: { number: "asc" }, disableIdentityMap: true });
    return { id, hasQuestions: format!.questions.length > 0, items };
  }

  const isSound = ({ problems }: StoredItem) => problems === null;

  /** Checks a file and imports the records without problems, or those with the numbers as if they had none. */
  async function importFile(operation: Operation, text: string, numbers?: readonly number[]) {
    const { em, shop } = operation;
    const { id, hasQuestions, items } = await check(operation, text);
    const chosen = items.filter((item) => numbers?.includes(item.number) ?? isSound(item));
    if (hasQuestions || chosen.length === 0) return { chosen, refusals: [], unchangedCount: chosen.length };
    const key = { shopId: shop.id, importId: id };
    await em.nativeUpdate(StoredItem, key, { problems: [] });
    await em.nativeUpdate(StoredItem, { ...key, number: chosen.map(({ number }) => number) }, { problems: null });
    await em.nativeUpdate(Import, { shopId: shop.id, id }, { faultyCount: 0 });
    await startImport(operation, id, { existing: "UPDATE", stock: "SET", sendWebhooks: false });
    while ((await runBatch(em, { shopId: shop.id, id })) === "more");
    const ended = await em.findOneOrFail(Import, { shopId: shop.id, id }, { disableIdentityMap: true });
    return { chosen, refusals: ended.refusals, unchangedCount: ended.unchangedCount };
  }

  holds("shows all that the import refuses, and the same records again change nothing", 20, () =>
    fc.asyncProperty(
      fc.array(fileOf(8), { minLength: 1, maxLength: 2 }),
      fc.boolean(),
      async (files, allowsOverselling) => {
        const operation = await openShop(allowsOverselling);
        for (const text of files) {
          const { chosen, refusals } = await importFile(operation, text);
          expect(refusals, text).to.deep.equal([]);
          const numbers = chosen.map(({ number }) => number);
          const again = await importFile(operation, text, numbers);
          expect(again, text).to.deep.include({ refusals: [], unchangedCount: numbers.length });
          expect((await importFile(operation, text)).refusals, text).to.deep.equal([]);
        }
      },
    ),
  );

  /**
   * Imports a file, then these records of another one in batches, and all of them again. Returns true if each is a record
   * of the shop.
   */
  async function goesWell(before: string, text: string, allowsOverselling: boolean, batches: readonly number[][]) {
    const operation = await openShop(allowsOverselling);
    await importFile(operation, before);
    for (const batch of batches) if ((await importFile(operation, text, batch)).refusals.length > 0) return false;
    const numbers = batches.flat();
    const { chosen, unchangedCount } = await importFile(operation, text, numbers);
    if (unchangedCount < chosen.length) return false;
    const inputs = chosen.map(({ input }) => input as ImportedProduct);
    const found = await findExistingProducts(server.em, operation.shop.id, inputs);
    const meant = found.map(({ existing: [product] }, index) => {
      const { handle, title, optionNames, variants } = inputs[index]!;
      const isList = handle === undefined && title === undefined && !optionNames;
      return product!.product.id + (isList ? skuKey(variants[0]!.sku!) : "");
    });
    return new Set(meant).size === meant.length;
  }

  holds("shows no problem of a record that can be imported beside the others", 20, () =>
    fc.asyncProperty(fileOf(4), fileOf(4), fc.boolean(), async (before, text, allowsOverselling) => {
      const operation = await openShop(allowsOverselling);
      await importFile(operation, before);
      const { items, hasQuestions } = await check(operation, text);
      if (hasQuestions) return;
      const messages = ({ problems }: StoredItem) =>
        ((problems ?? []) as ImportProblem[]).map(({ message }) => message);
      const readable = items.filter((item) => !messages(item).some((message) => UNREADABLE.test(message)));
      const all = readable.map(({ number }) => number);
      for (const item of readable.filter((each) => !isSound(each))) {
        const sets = [[item.number], ...all.map((other) => [item.number, other]), all];
        // A large file has some of its records in later batches.
        const ways = [...sets.map((numbers) => [numbers]), ...sets.map((numbers) => numbers.map((each) => [each]))];
        let isRight = false;
        for (const batches of ways) isRight ||= !(await goesWell(before, text, allowsOverselling, batches));
        expect(isRight, `${before}\n\n${text}\n\nRecord ${item.number}: ${messages(item)}`).to.equal(true);
      }
    }),
  );
});
