import { expect } from "chai";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { call, type Answer } from "../client.ts";
import { buildKey, buildProduct, buildShop } from "../factories.ts";
import { Validator } from "./openapi-validator.ts";
import { useServer } from "../server.ts";

describe("The OpenAPI check of responses", () => {
  const server = useServer();
  let validator: Validator;
  let shop: Shop;
  let key: string;
  let path: string;
  let right: Answer;

  before(async () => {
    shop = await buildShop(server.em);
    key = await buildKey(server.em, shop);
    const { id } = await buildProduct(server.em, shop);
    validator = new Validator((await call(server, "GET", "/openapi.json")).json);
    path = `/api/v1/${shop.id}/products/${id}`;
    right = await call(server, "GET", path.replace("/api/v1", ""), { key });
  });

  function check(change: Partial<Answer>, method = "GET", where = path): void {
    validator.assert(method, where, { ...right, ...change });
  }

  function changed(change: (product: Record<string, unknown>) => void): unknown {
    const json = structuredClone(right.json);
    change(json.product);
    return json;
  }

  function without(...names: string[]): Headers {
    const headers = new Headers(right.headers);
    for (const name of names) headers.delete(name);
    return headers;
  }

  it("passes a valid response", () => {
    expect(() => check({})).not.to.throw();
  });

  it("fails on a missing field", () => {
    expect(() => check({ json: changed((product) => delete product.handle) })).to.throw("handle");
    expect(() => check({ json: {} })).to.throw("product");
  });

  it("fails on an additional field, at every depth", () => {
    expect(() => check({ json: changed((product) => (product.barcode = "")) })).to.throw("additional properties");
    const json = structuredClone(right.json);
    json.product.variants[0].barcode = "";
    expect(() => check({ json })).to.throw("additional properties");
  });

  it("fails on a wrong type, value or format", () => {
    for (const change of [
      { title: 1 },
      { title: null },
      { status: "GONE" },
      { id: "var_1" },
      { variants: {} },
      { variants: [{}] },
    ]) {
      const json = changed((product) => Object.assign(product, change));
      expect(() => check({ json }), JSON.stringify(change)).to.throw();
    }
    expect(() => check({ json: changed((product) => (product.description = null)) })).not.to.throw();
  });

  it("fails on an undocumented status", () => {
    for (const status of [201, 202, 302, 405, 418, 502]) {
      expect(() => check({ status })).to.throw("not documented");
    }
  });

  it("fails on a missing header", () => {
    expect(() => check({ headers: without("etag") })).to.throw("ETag");
    expect(() => check({ headers: without("x-request-id") })).to.throw("X-Request-Id");
    expect(() => check({ status: 401, json: { error: "Unauthorized" } })).to.throw("WWW-Authenticate");
  });

  it("fails on another content type", () => {
    expect(() => check({ headers: without("content-type") })).to.throw("content type");
    const headers = without("content-type");
    headers.set("content-type", "text/html");
    expect(() => check({ headers })).to.throw("content type");
  });

  it("fails on an error in another format", () => {
    for (const json of [{}, { error: 1 }, { error: "x", code: 1 }, { error: "x", details: [{}] }, { message: "x" }]) {
      expect(() => check({ status: 404, json }), JSON.stringify(json)).to.throw();
    }
  });

  it("fails on an undocumented body", () => {
    expect(() => check({ status: 304 })).to.throw("body");
    expect(() => check({ status: 304, text: "" })).not.to.throw();
  });

  it("fails on success of an undocumented operation", () => {
    expect(() => check({}, "DELETE")).to.throw("neither documented nor refused");
    expect(() => check({}, "GET", `${path}/variants`)).to.throw("neither documented nor refused");
  });
});
