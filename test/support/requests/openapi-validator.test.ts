import { expect } from "chai";
import { call, type Answer } from "../client.ts";
import { buildKey, buildProduct, buildShop } from "../factories.ts";
import { Validator } from "./openapi-validator.ts";
import { useServer } from "../server.ts";

describe("The OpenAPI check of responses", () => {
  const server = useServer();
  let validator: Validator;
  let path: string;
  let right: Answer;

  before(async () => {
    const shop = await buildShop(server.em);
    const key = await buildKey(server.em, shop);
    const { id } = await buildProduct(server.em, shop);
    validator = new Validator((await call(server, "GET", "/openapi.json")).json);
    path = `/api/v1/${shop.id}/products/${id}`;
    right = await call(server, "GET", path.replace("/api/v1", ""), { key });
  });

  function changed(change: (product: Record<string, unknown>) => void): unknown {
    const json = structuredClone(right.json);
    change(json.product);
    return json;
  }

  function without(name: string, value?: string): Headers {
    const headers = new Headers(right.headers);
    headers.delete(name);
    if (value) headers.set(name, value);
    return headers;
  }

  const having = (fields: object) => ({ json: changed((product) => Object.assign(product, fields)) });
  const notFound = (json: unknown) => ({ status: 404, json });
  const cases: [what: string, error: string, answers: () => Partial<Answer>[]][] = [
    ["a missing field", "", () => [{ json: changed((product) => delete product.handle) }, { json: {} }]],
    [
      "an additional field, at every depth",
      "additional properties",
      () => [having({ barcode: "" }), having({ variants: [{ ...right.json.product.variants[0], barcode: "" }] })],
    ],
    [
      "a wrong type, value or format",
      "",
      () => [{ title: 1 }, { title: null }, { status: "GONE" }, { id: "var_1" }, { variants: [{}] }].map(having),
    ],
    ["an undocumented status", "not documented", () => [201, 202, 302, 405, 418, 502].map((status) => ({ status }))],
    ["a missing ETag", "ETag", () => [{ headers: without("etag") }]],
    ["a missing X-Request-Id", "X-Request-Id", () => [{ headers: without("x-request-id") }]],
    ["a missing WWW-Authenticate", "WWW-Authenticate", () => [{ status: 401, json: { error: "Unauthorized" } }]],
    [
      "another content type",
      "content type",
      () => [{ headers: without("content-type") }, { headers: without("content-type", "text/html") }],
    ],
    [
      "an error in another format",
      "",
      () => [{}, { error: 1 }, { error: "x", code: 1 }, { error: "x", details: [{}] }, { message: "x" }].map(notFound),
    ],
    ["an undocumented body", "body", () => [{ status: 304 }]],
  ];

  for (const [what, error, answers] of cases) {
    it(`fails on ${what}`, () => {
      for (const answer of answers()) {
        const check = () => validator.assert("GET", path, { ...right, ...answer });
        expect(check, JSON.stringify(answer)).to.throw(error);
      }
    });
  }

  it("passes a valid response", () => {
    for (const valid of [{}, having({ description: null }), { status: 304, text: "" }]) {
      validator.assert("GET", path, { ...right, ...valid });
    }
  });

  it("fails on success of an undocumented operation", () => {
    const error = "neither documented nor refused";
    expect(() => validator.assert("DELETE", path, right)).to.throw(error);
    expect(() => validator.assert("GET", `${path}/variants`, right)).to.throw(error);
  });
});
