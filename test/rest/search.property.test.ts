import { expect } from "chai";
import fc from "fast-check";
import { operator } from "../../src/core/access/actor.ts";
import { deleteProduct } from "../../src/core/products/edits/edit-product.ts";
import { updateProduct } from "../../src/core/products/edits/update-product.ts";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { buildKey, buildProduct, buildShop } from "../support/factories.ts";
import { holds } from "../support/properties/holds.ts";
import { useServer } from "../support/server.ts";

/** Words that begin like each other, contain each other, and have accents, punctuation and no spaces. */
const pieces = [
  "mug",
  "Mugs",
  "smug",
  "blue-green",
  "green",
  "Été",
  "(large)",
  "o'neil",
  "100%",
  "有田焼",
  "焼",
  "a_b",
  "b",
];
const title = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const sku = fc.array(fc.constantFrom("MUG", "b", "green"), { maxLength: 3 }).map((parts) => parts.join("-"));
const searched = fc
  .array(
    fc.constantFrom("mug", "MUG-B", "mugs", "gree", "green", "ete", "large", "(large", "neil", "100", "焼", "田", "b"),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((words) => words.join(" "));

const change = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), title, sku }),
  fc.record({ kind: fc.constant("rename" as const), index: fc.nat(), title }),
  fc.record({ kind: fc.constant("delete" as const), index: fc.nat() }),
);

interface Row {
  id: string;
  title: string;
  handle: string;
  sku: string;
}

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const join = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");

/** Compares character by character: a word begins where no letter or digit precedes it, in Chinese anywhere. */
function isFound({ title: text, handle, sku: code }: Row, search: string): boolean {
  const parts = [...[text, handle.replaceAll("-", " "), code].flatMap((value) => value.split(" ")), code].map(plain);
  const ends = parts.flatMap((part) =>
    [...part.matchAll(/(?<![\p{L}\p{N}])|(?=\p{Script=Han})/gu)].map(({ index }) => join(part.slice(index))),
  );
  const words = new Set(parts.flatMap((part) => part.match(/[\p{L}\p{N}]+/gu) ?? []));
  const begins = (word: string) => [join(plain(handle)), ...ends].some((end) => end.startsWith(word));
  return plain(search)
    .split(" ")
    .every((part) => {
      const all = part.split("-").map(join);
      // A single letter of a compound is a whole word.
      return (
        begins(join(part)) ||
        all.every((word) => (all.length > 1 && word.length === 1 ? words.has(word) : begins(word)))
      );
    });
}

describe("A search after concurrent changes", () => {
  const server = useServer();

  holds("finds and counts what a comparison of all products finds", 15, () =>
    fc.asyncProperty(
      fc.array(change, { minLength: 5, maxLength: 25 }),
      fc.array(searched, { minLength: 5, maxLength: 10 }),
      async (changes, searches) => {
        const shop = await buildShop(server.em);
        const key = await buildKey(server.em, shop);
        const ids: string[] = [];
        for (const text of ["Mug", "Smug green"]) ids.push((await buildProduct(server.em, shop, { title: text })).id);
        await Promise.all(
          changes.map(async (made) => {
            const operation = { em: server.em.fork(), shop, actor: operator };
            if (made.kind === "create") {
              return buildProduct(server.em, shop, { title: made.title, sku: made.sku });
            }
            const id = ids[made.index % ids.length]!;
            if (made.kind === "delete") return deleteProduct(operation, id);
            return updateProduct(operation, { id, request: { title: made.title } }).catch((error: { code: string }) => {
              if (error.code !== "NOT_FOUND") throw error;
            });
          }),
        );
        const rows = await query<Row>(
          server.databaseUrl,
          `select products.id, products.title, handle, sku from products
          join variants on variants.shop_id = products.shop_id and product_id = products.id where products.shop_id = $1`,
          [shop.id],
        );
        for (const search of searches) {
          const target = `/${shop.id}/products?limit=250&search=${encodeURIComponent(search)}`;
          const { json } = await call(server, "GET", target, { key });
          const expected = rows.filter((row) => isFound(row, search)).map(({ id }) => id);
          expect(
            json.products.map(({ id }: Row) => id),
            search,
          ).to.have.members(expected);
          expect(json.pagination.total, search).to.equal(expected.length);
        }
      },
    ),
  );
});
