import { expect } from "chai";
import { call } from "../support/client.ts";
import { buildProduct } from "../support/factories.ts";
import { linksOf } from "../support/requests/links.ts";
import { callRaw, sendBytes } from "../support/requests/raw.ts";
import { useServer } from "../support/server.ts";
import { World } from "../support/world.ts";

describe("HTTP", () => {
  const world = new World(useServer());
  const { server, shop } = world;
  let key: string;

  before(async () => {
    await world.open();
    key = await world.key();
  });

  describe("routes", () => {
    it("answer 404 for unknown paths, with and without a key", async () => {
      for (const path of [
        "",
        "/",
        `/${shop.id}`,
        `/${shop.id}/`,
        `/${shop.id}/inventory`,
        `/${shop.id}/locations`,
        `/${shop.id}/products/`,
        `/${shop.id}/Products`,
        `/${shop.id}/products/x/variants`,
        `/${shop.id}//products`,
        "/openapi.json/",
        "/openapi.yaml",
      ]) {
        for (const options of [{}, { key }]) {
          const { status, json } = await call(server, "GET", path, options);
          expect(status, path).to.equal(404);
          expect(json).to.deep.equal({ error: "Not found" });
        }
      }
    });

    it("answer 404 outside of the API too, in JSON", async () => {
      for (const path of ["/api", "/api/v2/x/products", "/favicon.ico"]) {
        const response = await fetch(server.url + path);
        expect(response.status, path).to.equal(404);
        expect(await response.json()).to.deep.equal({ error: "Not found" });
      }
    });

    it("answer 405 for other methods, with Allow", async () => {
      for (const [path, allow, methods] of [
        ["/products", "GET, HEAD, POST", ["PUT", "PATCH", "DELETE", "OPTIONS"]],
        ["/products/x", "GET, HEAD", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]],
        ["/orders", "GET, HEAD", ["POST", "DELETE"]],
        ["/orders/x", "GET, HEAD", ["POST", "PUT"]],
        ["/customers", "GET, HEAD", ["POST", "QUERY"]],
        ["/customers/x", "GET, HEAD", ["PATCH", "DELETE"]],
      ] as const) {
        for (const method of methods) {
          const { status, json, headers } = await callRaw(server, method, `/${shop.id}${path}`);
          expect(status, `${method} ${path}`).to.equal(405);
          expect(json).to.deep.equal({ error: "Method not allowed" });
          expect(headers.get("allow")).to.equal(allow);
        }
      }
    });
  });

  describe("request bodies", () => {
    const path = () => `/${shop.id}/products`;

    async function post(body: string | Buffer, type: string | undefined, ...more: [string, string][]) {
      const headers: [string, string][] = [["Authorization", `Bearer ${key}`], ...more];
      if (type !== undefined) headers.push(["Content-Type", type]);
      return callRaw(server, "POST", path(), { headers, body });
    }

    const json = '{"title":"Mug","price":1}';

    it("may have up to 256 KiB", async () => {
      expect((await post(json.padEnd(256 * 1024), "application/json")).status).to.equal(201);
      const answer = await post(json.padEnd(256 * 1024 + 1), "application/json");
      expect(answer.status).to.equal(413);
      expect(answer.json).to.deep.equal({ error: "Request body must be at most 262144 bytes" });
    });

    it("get an answer when they are much larger", async () => {
      for (const bytes of [300_000, 300_000, 10_000_000, 10_000_000]) {
        const { status } = await call(server, "POST", path(), { key, body: json.padEnd(bytes) });
        expect(status).to.equal(413);
        expect((await post(json.padEnd(bytes), "application/json")).status).to.equal(413);
      }
    });

    it("get an answer when too large and chunked", async () => {
      const chunk = `${(0x8000).toString(16)}\r\n${" ".repeat(0x8000)}\r\n`;
      const answer = await sendBytes(
        server,
        `POST /api/v1${path()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
          `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(10)}0\r\n\r\n`,
      );
      expect(answer).to.match(/^HTTP\/1\.1 413 /);
      expect(answer).to.match(/\{"error":"[^"]+"\}$/);
    });

    it("must be declared as JSON", async () => {
      for (const type of [undefined, "", "text/plain", "application/x-www-form-urlencoded", "text/json", "json"]) {
        const answer = await post(json, type);
        expect(answer.status, type).to.equal(415);
        expect(answer.json.error).to.match(/application\/json/);
      }
      for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"]) {
        expect((await post(json, type)).status, type).to.equal(201);
      }
    });

    it("must not be compressed", async () => {
      for (const encoding of ["gzip", "br", "deflate"]) {
        expect((await post(json, "application/json", ["Content-Encoding", encoding])).status).to.equal(415);
      }
      expect((await post(json, "application/json", ["Content-Encoding", "identity"])).status).to.equal(201);
    });

    it("must be UTF-8, or fail like other invalid input", async () => {
      for (const bytes of [
        Buffer.from('{"title":"M\u00fcg","price":1}', "latin1"),
        Buffer.from(json, "utf16le"),
        Buffer.from([...Buffer.from('{"title":"'), 0xed, 0xa0, 0x80, ...Buffer.from('","price":1}')]),
      ]) {
        const answer = await post(bytes, "application/json");
        expect(answer.status).to.equal(400);
        expect(answer.json.error).to.equal("Validation error");
        expect(answer.json.details).to.have.length(1);
        expect(answer.json.details[0]).to.include({ in: "body", path: "" });
      }
    });

    it("are ignored by reads", async () => {
      const headers: [string, string][] = [
        ["Authorization", `Bearer ${key}`],
        ["Content-Type", "application/json"],
      ];
      expect((await callRaw(server, "GET", path(), { headers, body: "{" })).status).to.equal(200);
    });
  });

  describe("X-Request-Id", () => {
    it("is on every response, and unique", async () => {
      const answers = [
        await call(server, "GET", `/${shop.id}/products`, { key }),
        await call(server, "GET", `/${shop.id}/products`, { key }),
        await call(server, "GET", `/${shop.id}/products`),
        await call(server, "GET", `/${shop.id}/products/unknown`, { key }),
        await call(server, "GET", "/unknown"),
        await call(server, "DELETE", `/${shop.id}/products`),
        await call(server, "GET", "/openapi.json"),
      ];
      const ids = answers.map(({ headers }) => headers.get("x-request-id"));
      for (const id of ids) expect(id).to.match(/^[\w-]{16,}$/);
      expect(new Set(ids)).to.have.property("size", ids.length);
    });
  });

  describe("CORS", () => {
    it("is off on merchant routes, because keys do not belong in browsers", async () => {
      const headers = { Origin: "https://shop.example", "Access-Control-Request-Method": "GET" };
      for (const method of ["GET", "OPTIONS", "HEAD"]) {
        const answer = await call(server, method, `/${shop.id}/products`, { key, headers });
        const names = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
        expect(names, method).to.deep.equal([]);
      }
    });
  });

  describe("Link", () => {
    async function links(parameters: string) {
      const { headers, json } = await call(server, "GET", `/${shop.id}/products${parameters}`, { key });
      return { links: linksOf(headers), pagination: json.pagination };
    }

    before(async () => {
      for (const title of ["Tea & 1", "Tea & 2", "Tea & 3", "Tea & 4", "Tea & 5"]) {
        await buildProduct(server.em, shop, { title });
      }
    });

    const search = "search=tea+%26&limit=2";

    it("connects the pages of a list", async () => {
      const second = await links(`?${search}&page=2`);
      expect(second.pagination).to.include({ page: 2, total: 5, pages: 3 });
      const pages: Record<string, number> = { first: 1, prev: 1, next: 3, last: 3 };
      expect(Object.keys(second.links)).to.have.members(Object.keys(pages));
      for (const [relation, page] of Object.entries(pages)) {
        const { json } = await call(server, "GET", second.links[relation]!, { key });
        expect(json.pagination, relation).to.deep.equal({ page, limit: 2, total: 5, pages: 3 });
      }
    });

    it("has whole URLs, at the public address", async () => {
      const { headers } = await call(server, "GET", `/${shop.id}/products?limit=1`, { key });
      const targets = [...headers.get("link")!.matchAll(/<([^>]+)>/g)].map(([, target]) => new URL(target!));
      for (const { origin, pathname } of targets) {
        expect(origin + pathname).to.equal(`http://127.0.0.1:4000/api/v1/${shop.id}/products`);
      }
    });

    it("ends with the list", async () => {
      expect(Object.keys((await links(`?${search}`)).links)).to.have.members(["first", "next", "last"]);
      expect(Object.keys((await links(`?${search}&page=3`)).links)).to.have.members(["first", "prev", "last"]);
      expect(Object.keys((await links("?search=tea+%26")).links)).to.have.members(["first", "last"]);
    });

    it("leads back from past the end", async () => {
      const past = await links(`?${search}&page=9`);
      expect(past.links).not.to.have.property("next");
      const { json } = await call(server, "GET", past.links.prev!, { key });
      expect(json.pagination.page).to.equal(3);
    });

    it("leads only to the first page of an empty list", async () => {
      expect(Object.keys((await links("?search=nothing")).links)).to.deep.equal(["first"]);
    });
  });
});
