import { expect } from "chai";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { buildKey, buildOrder, buildProduct, importProduct } from "../support/factories.ts";
import { callRaw } from "../support/requests/raw.ts";
import { useWorld } from "../support/world.ts";

type Header = [name: string, value: string];

describe("Caching and compression", () => {
  const world = useWorld();
  const { server, shop } = world;

  async function get(path: string, ...headers: Header[]) {
    return callRaw(server, "GET", `/${shop.id}${path}`, {
      headers: [["Authorization", `Bearer ${await world.key()}`], ...headers],
    });
  }

  /** A product whose single representation has this many bytes, of which some are not ASCII. */
  async function productOf(bytes: number, filler: string): Promise<string> {
    const { id } = await importProduct(server.em, shop, { description: "" });
    const empty = (await get(`/products/${id}`)).bytes.length;
    const width = Buffer.byteLength(filler);
    const description = filler.repeat(Math.floor((bytes - empty) / width)) + "a".repeat((bytes - empty) % width);
    await query(server.databaseUrl, "update products set description = $2 where id = $1", [id, description]);
    expect((await get(`/products/${id}`)).bytes).to.have.length(bytes);
    return `/products/${id}`;
  }

  describe("ETag", () => {
    it("is strong, and changes with the response", async () => {
      const { id } = await buildProduct(server.em, shop);
      const [list, single] = [await get("/products"), await get(`/products/${id}`)];
      expect(list.headers.get("etag")).to.match(/^"[^"]+"$/);
      await world.sql("update variants set price = 11 where shop_id = $1");
      expect((await get("/products")).headers.get("etag")).not.to.equal(list.headers.get("etag"));
      expect((await get(`/products/${id}`)).headers.get("etag")).not.to.equal(single.headers.get("etag"));
    });

    it("differs by encoding", async () => {
      const path = await productOf(2_000, "a");
      const encodings = ["identity", "gzip", "br"];
      const answers = await Promise.all(encodings.map((encoding) => get(path, ["Accept-Encoding", encoding])));
      expect(new Set(answers.map(({ headers }) => headers.get("etag")))).to.have.property("size", 3);
    });
  });

  describe("If-None-Match", () => {
    it("gets 304 without a body for the current response", async () => {
      const { id } = await buildProduct(server.em, shop);
      const order = await buildOrder(server.em, shop);
      const paths = ["/products", `/products/${id}`, "/orders", `/orders/${order.id}`, "/customers"];
      for (const path of [...paths, "/products?search=nothing"]) {
        const first = await get(path);
        const etag = first.headers.get("etag")!;
        const second = await get(path, ["If-None-Match", etag]);
        expect(second.status, path).to.equal(304);
        expect(second.bytes).to.have.length(0);
        expect(second.headers.get("etag")).to.equal(etag);
        expect(second.headers.get("cache-control")).to.equal(first.headers.get("cache-control"));
        expect(second.headers.get("vary")).to.equal(first.headers.get("vary"));
        expect(second.headers.get("content-type")).to.equal(null);
      }
    });

    it("gets 304 for fetch, which adds Cache-Control: no-cache", async () => {
      const first = await world.call("GET", "/products");
      const headers = { "If-None-Match": first.headers.get("etag")! };
      const second = await world.call("GET", "/products", { headers });
      expect(second.status).to.equal(304);
      expect(second.text).to.equal("");
    });

    it("gets the response for another tag", async () => {
      const { status, bytes } = await get("/products", ["If-None-Match", '"another"']);
      expect(status).to.equal(200);
      expect(bytes.length).to.be.greaterThan(0);
    });

    it("may list several tags, weak ones, or any", async () => {
      const etag = (await get("/products")).headers.get("etag")!;
      for (const value of [`"another", ${etag}`, `${etag},"another"`, `W/${etag}`, "*"]) {
        expect((await get("/products", ["If-None-Match", value])).status, value).to.equal(304);
      }
    });

    it("matches the response in the same encoding", async () => {
      const path = await productOf(2_000, "a");
      for (const encoding of ["gzip", "br", "identity"]) {
        const accept: Header = ["Accept-Encoding", encoding];
        const etag = (await get(path, accept)).headers.get("etag")!;
        expect((await get(path, accept, ["If-None-Match", etag])).status, encoding).to.equal(304);
      }
    });

    it("does not bypass a missing key, scope or record", async () => {
      const anonymous = await callRaw(server, "GET", `/${shop.id}/products`, { headers: [["If-None-Match", "*"]] });
      expect(anonymous.status).to.equal(401);
      expect((await get("/products/unknown", ["If-None-Match", "*"])).status).to.equal(404);
      const key = await buildKey(server.em, shop, ["read_orders"]);
      const headers = { "If-None-Match": "*" };
      expect((await world.call("GET", "/products", { key, headers })).status).to.equal(403);
    });
  });

  describe("Content-Encoding", () => {
    for (const encoding of ["gzip", "br"]) {
      it(`is ${encoding} from 1 KiB on, for clients that accept it`, async () => {
        for (const [bytes, filler] of [
          [1_024, "a"],
          [1_024, "急"],
          [20_000, "ä"],
        ] as const) {
          const path = await productOf(bytes, filler);
          const plain = await get(path);
          const encoded = await get(path, ["Accept-Encoding", encoding]);
          expect(encoded.headers.get("content-encoding"), `${bytes} of ${filler}`).to.equal(encoding);
          expect(encoded.headers.get("content-length")).to.equal(String(encoded.bytes.length));
          expect(encoded.text).to.equal(plain.text);
          expect(encoded.bytes.length).to.be.lessThan(plain.bytes.length);
        }
      });

      it(`is not ${encoding} under 1 KiB`, async () => {
        for (const filler of ["a", "急"]) {
          const { headers } = await get(await productOf(1_023, filler), ["Accept-Encoding", encoding]);
          expect(headers.get("content-encoding")).to.equal(null);
        }
      });
    }

    it("is absent for clients that accept none", async () => {
      const path = await productOf(2_000, "a");
      for (const accepted of [undefined, "identity", "deflate", "gzip;q=0, br;q=0", ""]) {
        const headers: Header[] = accepted === undefined ? [] : [["Accept-Encoding", accepted]];
        expect((await get(path, ...headers)).headers.get("content-encoding"), accepted).to.equal(null);
      }
    });

    it("is one that the client accepts", async () => {
      const path = await productOf(2_000, "a");
      expect((await get(path, ["Accept-Encoding", "br;q=0, gzip"])).headers.get("content-encoding")).to.equal("gzip");
      expect((await get(path, ["Accept-Encoding", "gzip;q=0.1, br"])).headers.get("content-encoding")).to.equal("br");
      expect((await get(path, ["Accept-Encoding", "*"])).headers.get("content-encoding")).to.be.oneOf(["br", "gzip"]);
    });

    it("adds Vary, whatever the encoding", async () => {
      for (const encoding of ["identity", "gzip"]) {
        const { headers } = await get("/products", ["Accept-Encoding", encoding]);
        expect(headers.get("vary")).to.match(/\baccept-encoding\b/i);
      }
    });
  });

  describe("Cache-Control", () => {
    it("allows private caching with revalidation", async () => {
      const created = await world.call("POST", "/products", { body: { title: "Mug", price: 1 } });
      const answers = [
        created,
        await get("/products"),
        await get(`/products/${created.json.product.id}`),
        await get("/products/unknown"),
        await get("/products?page=0"),
        await call(server, "GET", `/${shop.id}/products`),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([201, 200, 200, 404, 400, 401]);
      for (const { headers, status } of answers) {
        expect(headers.get("cache-control"), String(status)).to.equal("private, no-cache");
      }
    });
  });

  describe("HEAD", () => {
    async function head(path: string, ...headers: Header[]) {
      const authorization: Header = ["Authorization", `Bearer ${await world.key()}`];
      return callRaw(server, "HEAD", `/${shop.id}${path}`, { headers: [authorization, ...headers] });
    }

    it("answers like GET without the body", async () => {
      const { id } = await buildProduct(server.em, shop);
      for (const path of ["/products?limit=1", `/products/${id}`, "/orders", "/products/unknown", "/products?page=0"]) {
        const [full, short] = [await get(path), await head(path)];
        expect(short.status, path).to.equal(full.status);
        expect(short.bytes).to.have.length(0);
        for (const name of ["etag", "content-type", "content-length", "cache-control", "vary", "link"]) {
          expect(short.headers.get(name), `${path} ${name}`).to.equal(full.headers.get(name));
        }
      }
    });

    it("gets 304 for the current response", async () => {
      const etag = (await head("/products")).headers.get("etag")!;
      expect((await head("/products", ["If-None-Match", etag])).status).to.equal(304);
    });
  });
});
