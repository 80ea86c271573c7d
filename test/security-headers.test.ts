import { expect } from "chai";
import { useServer, type TestServer } from "./support/server.ts";
import { exchange } from "./support/requests/wire.ts";
import { openWorld } from "./support/world.ts";

const NAMES = ["x-content-type-options", "strict-transport-security"];
const JSON_TYPE = { "content-type": "application/json" };

function securityOf(headers: Headers): (string | null)[] {
  return NAMES.map((name) => headers.get(name));
}

/** Requests that anybody may send, with the status of the answer. */
const requests: [path: string, status: number, init?: RequestInit][] = [
  ["/livez", 200],
  ["/readyz", 200],
  ["/nowhere", 404],
  ["/api/v1/openapi.json", 200],
  ["/api/v1/openapi.json", 405, { method: "POST" }],
  ["/api/v1/shop_x/products", 401],
  ["/graphql", 200, { headers: { accept: "text/html" } }],
  ["/graphql", 200, { method: "POST", headers: JSON_TYPE, body: '{"query":"{ viewer { id } }"}' }],
  ["/graphql", 400, { method: "POST", headers: JSON_TYPE, body: '{"query":"{"}' }],
  ["/graphql", 400, { method: "POST", body: "{}" }],
  [
    "/graphql",
    401,
    { method: "POST", headers: { ...JSON_TYPE, authorization: "x" }, body: '{"query":"{ viewer { id } }"}' },
  ],
];

/** Requests that the HTTP server refuses itself. */
const refused: [what: string, bytes: string, status: number][] = [
  ["garbage", "GARBAGE\r\n\r\n", 400],
  ["a request without a host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ["too many headers", `GET / HTTP/1.1\r\nHost: x\r\n${"X-Y: z\r\n".repeat(2_560)}\r\n`, 431],
  ["an expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n", 417],
  ["a request for a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", 405],
];

describe("Security headers", () => {
  const https = useServer({ config: { baseUrl: "https://api.example.com" } });
  const plain = useServer();

  function itSends(what: string, server: TestServer, expected: (string | null)[]): void {
    describe(what, () => {
      for (const [path, status, init] of requests) {
        it(`are on ${init?.method ?? "GET"} ${path}: ${status}`, async () => {
          const response = await fetch(server.url + path, init);
          await response.arrayBuffer();
          expect(response.status).to.equal(status);
          expect(securityOf(response.headers)).to.deep.equal(expected);
        });
      }

      for (const [about, bytes, status] of refused) {
        it(`are on the refusal of ${about}`, async () => {
          const [answer] = await exchange(server, bytes);
          expect(answer!.status).to.equal(status);
          expect(securityOf(answer!.headers)).to.deep.equal(expected);
        });
      }

      it("are on reads with a key, and on 304", async () => {
        const { call } = await openWorld(server);
        const { headers } = await call("GET", "/products");
        const again = await call("GET", "/products", { headers: { "if-none-match": headers.get("etag")! } });
        expect(again.status).to.equal(304);
        expect([headers, again.headers].map(securityOf)).to.deep.equal([expected, expected]);
      });

      it("are on a worker's health", async () => {
        const health = await server.app.startHealth(0);
        try {
          const { headers } = await fetch(`http://127.0.0.1:${health.port}/livez`);
          expect(securityOf(headers)).to.deep.equal(expected);
        } finally {
          await health.stop();
        }
      });
    });
  }

  itSends("of a service behind https", https, ["nosniff", "max-age=31536000"]);
  itSends("of a service without https", plain, ["nosniff", null]);
});
