import { expect } from "chai";
import fc from "fast-check";
import { ProductStatus } from "../../src/core/model/products/product.enums.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { buildCustomer, buildKey, buildOrder, buildShop, importProduct } from "../support/factories.ts";
import { holds } from "../support/properties/holds.ts";
import { linksOf } from "../support/requests/links.ts";
import { useServer, type TestServer } from "../support/server.ts";

interface List {
  path: "products" | "orders" | "customers";
  /** The query of a walk, beside its limit. */
  filter: string;
  build: (server: TestServer, shop: Shop, createdAt: Date) => Promise<{ id: string }>;
  /** Statements that take a record out of the list. */
  removals: string[];
}

const matching = { status: ProductStatus.ACTIVE, title: "Mug" };
const buildMug: List["build"] = ({ em }, shop, createdAt) => importProduct(em, shop, { ...matching, createdAt });
const deleteProduct = `with gone as (delete from variants where shop_id = $1 and product_id = $2)
  delete from products where shop_id = $1 and id = $2`;

const lists: List[] = [
  { path: "products", filter: "", build: buildMug, removals: [deleteProduct] },
  {
    path: "products",
    filter: "&status=ACTIVE&search=mug",
    build: buildMug,
    removals: [deleteProduct, "update products set status = 'ARCHIVED' where shop_id = $1 and id = $2"],
  },
  {
    path: "orders",
    filter: "",
    build: ({ em }, shop, createdAt) => buildOrder(em, shop, { createdAt, items: [], payments: [] }),
    removals: ["delete from orders where shop_id = $1 and id = $2"],
  },
  {
    path: "customers",
    filter: "",
    build: ({ em }, shop, createdAt) => buildCustomer(em, shop, { createdAt }),
    removals: ["delete from customers where shop_id = $1 and id = $2"],
  },
];

/** Records that are made and removed before a page is asked for. */
interface Changes {
  /** Hours since the epoch: newer than the existing records, older, and between. */
  created: number[];
  /** The record to remove, and the statement that removes it. */
  removed: { index: number; removal: number }[];
}

const hour = fc.nat(30);
const changes: fc.Arbitrary<Changes> = fc.record({
  created: fc.array(hour, { maxLength: 3 }),
  removed: fc.array(fc.record({ index: fc.nat(), removal: fc.nat() }), { maxLength: 3 }),
});
const walk = fc.record({
  hours: fc.array(hour, { maxLength: 12 }),
  limit: fc.integer({ min: 1, max: 5 }),
  steps: fc.array(changes, { minLength: 4, maxLength: 4 }),
});

describe("A walk by rel=next during changes", () => {
  const server = useServer();

  for (const { path, filter, build, removals } of lists) {
    holds(`meets each record of ${path}${filter} that stays once`, 20, () =>
      fc.asyncProperty(walk, async ({ hours, limit, steps }) => {
        const shop = await buildShop(server.em);
        const key = await buildKey(server.em, shop);
        const present = new Set<string>();
        const add = async (at: number) => {
          const { id } = await build(server, shop, new Date(at * 3_600_000));
          present.add(id);
        };
        for (const at of hours) await add(at);
        const staying = new Set(present);
        const change = async ({ created, removed }: Changes) => {
          for (const at of created) await add(at);
          for (const { index, removal } of removed) {
            const id = [...present][index % present.size];
            if (id === undefined) continue;
            await query(server.databaseUrl, removals[removal % removals.length]!, [shop.id, id]);
            present.delete(id);
            staying.delete(id);
          }
        };

        const met: string[] = [];
        let next: string | undefined = `/${shop.id}/${path}?limit=${limit}${filter}`;
        for (let page = 1; next !== undefined; page += 1) {
          const { status, json, headers, text } = await call(server, "GET", next, { key });
          expect(status, text).to.equal(200);
          const total = present.size;
          expect(json.pagination).to.deep.equal({ page, limit, total, pages: Math.ceil(total / limit) });
          met.push(...json[path].map(({ id }: { id: string }) => id));
          next = linksOf(headers).next;
          const step = steps[page - 1];
          if (step) await change(step);
        }
        expect(new Set(met)).to.have.property("size", met.length);
        expect(met).to.include.members([...staying]);
      }),
    );
  }

  for (const { path, filter, build } of lists) {
    it(`returns each record of ${path}${filter} once while 40 are created concurrently`, async () => {
      const shop = await buildShop(server.em);
      const key = await buildKey(server.em, shop);
      const there: string[] = [];
      for (let count = 0; count < 60; count += 1) there.push((await build(server, shop, new Date(count))).id);
      const creates = (async () => {
        for (let count = 0; count < 40; count += 1) await build(server, shop, new Date());
      })();
      const met: string[] = [];
      let next: string | undefined = `/${shop.id}/${path}?limit=7${filter}`;
      while (next !== undefined) {
        const { json, headers } = await call(server, "GET", next, { key });
        met.push(...json[path].map(({ id }: { id: string }) => id));
        next = linksOf(headers).next;
      }
      await creates;
      expect(met.filter((id) => there.includes(id))).to.deep.equal(there.toReversed());
      expect(new Set(met)).to.have.property("size", met.length);
    });
  }
});
