import { expect } from "chai";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { call } from "../client.ts";
import { buildKey, buildShop } from "../factories.ts";
import type { TestServer } from "../server.ts";

/** A resource of the REST API. */
interface Resource {
  path: "products" | "orders" | "customers";
  build: (em: EntityManager, shop: Shop, overrides?: { id?: string; createdAt?: Date }) => Promise<{ id: string }>;
}

interface Reader {
  shop: Shop;
  key: string;
  /** Requests a path relative to the resource. */
  read: (rest?: string) => ReturnType<typeof call>;
}

async function openShop(server: TestServer, { path }: Resource): Promise<Reader> {
  const shop = await buildShop(server.em);
  const key = await buildKey(server.em, shop);
  return { shop, key, read: (rest = "") => call(server, "GET", `/${shop.id}/${path}${rest}`, { key }) };
}

/** Registers tests for every list: pages. */
export function itIsPaged(server: TestServer, resource: Resource): void {
  const { path, build } = resource;

  describe("paging", () => {
    let read: Reader["read"];

    before(async () => {
      const reader = await openShop(server, resource);
      ({ read } = reader);
      for (let count = 0; count < 5; count += 1) await build(server.em, reader.shop);
      await build(server.em, await buildShop(server.em));
    });

    const idsOf = async (parameters: string) => {
      const { status, json } = await read(parameters);
      expect(status).to.equal(200);
      return json[path].map(({ id }: { id: string }) => id) as string[];
    };

    it("orders by creation, then by ID, both descending", async () => {
      const reader = await openShop(server, resource);
      const prefix = ({ products: "prod", orders: "ord", customers: "cus" } as const)[path];
      const [low, high] = [newId(prefix), newId(prefix)].toSorted();
      for (const [id, day] of [
        [high, 1],
        [low, 1],
        [newId(prefix), 2],
      ] as const) {
        await build(server.em, reader.shop, { id, createdAt: new Date(Date.UTC(2026, 0, day)) });
      }
      const ids = (await reader.read()).json[path].map(({ id }: { id: string }) => id);
      expect(ids.slice(1)).to.deep.equal([high, low]);
    });

    it("splits the list into pages without repetition", async () => {
      const pages = await Promise.all([1, 2, 3].map((page) => idsOf(`?page=${page}&limit=2`)));
      expect(pages.map(({ length }) => length)).to.deep.equal([2, 2, 1]);
      expect(pages.flat()).to.deep.equal(await idsOf("?limit=250"));
    });

    it("reports the page, of how many", async () => {
      const { json } = await read("?page=2&limit=2");
      expect(json.pagination).to.deep.equal({ page: 2, limit: 2, total: 5, pages: 3 });
    });

    it("returns an empty page past the end", async () => {
      for (const page of [4, 2_147_483_647]) {
        const { status, json } = await read(`?page=${page}&limit=2`);
        expect(status).to.equal(200);
        expect(json).to.deep.equal({ [path]: [], pagination: { page, limit: 2, total: 5, pages: 3 } });
      }
    });

    it("has no pages without records", async () => {
      const empty = await openShop(server, resource);
      const { json } = await empty.read();
      expect(json).to.deep.equal({ [path]: [], pagination: { page: 1, limit: 50, total: 0, pages: 0 } });
    });

    it("accepts limits from 1 to 250", async () => {
      for (const limit of [1, 250]) {
        const { json } = await read(`?limit=${limit}`);
        expect(json.pagination.limit).to.equal(limit);
      }
    });

    for (const name of ["page", "limit"]) {
      it(`refuses a ${name} that is not a whole number in range`, async () => {
        const tooLarge = name === "limit" ? "251" : "2147483648";
        const values = ["0", "-1", "1.5", "1e3", "", "%2B1", "01", " 1", "1%20", "0x1", "one", "1,2", "９", tooLarge];
        for (const value of [...values, "9".repeat(30)]) {
          const { status, json } = await read(`?${name}=${value}`);
          expect(status, value).to.equal(400);
          expect(json.error).to.equal("Validation error");
          expect(json.details, value).to.have.length(1);
          expect(json.details[0]).to.include({ in: "query", path: name });
        }
      });

      it(`documents and requires that ${name} has no leading zeros`, async () => {
        const { json } = await read(`?${name}=01`);
        expect(json.details[0].message).to.include("without leading zeros");
        const { json: document } = await call(server, "GET", "/openapi.json");
        const { parameters } = document.paths[`/api/v1/{shopId}/${path}`].get;
        const parameter = parameters.find((candidate: { name: string }) => candidate.name === name);
        expect(parameter.description).to.include("without leading zeros");
      });

      it(`refuses a repeated ${name}`, async () => {
        const { status, json } = await read(`?${name}=1&${name}=1`);
        expect(status).to.equal(400);
        expect(json.details).to.deep.equal([
          { in: "query", path: name, code: "repeated", message: "Must be given only once" },
        ]);
      });
    }
  });
}
