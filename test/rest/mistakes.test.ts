import { expect } from "chai";
import { useWorld } from "../support/world.ts";

/** The maximum number of listed mistakes. */
const MOST = 20;

describe("A request with many mistakes", () => {
  const world = useWorld();

  const names = (count: number) => Array.from({ length: count }, (_, index) => `unknown${index}`);
  const create = (body: object) => world.call("POST", "/products", { body });

  it("gets the first ones listed: unknown fields", async () => {
    const { status, json } = await create(Object.fromEntries(names(900).map((name) => [name, 1])));
    expect(status).to.equal(400);
    expect(json.details).to.have.length(MOST);
    expect(json.details.at(-1)).to.include({ in: "body", code: "unknown_field" });
  });

  it("is refused without parsing when it has far more parts than a product", async () => {
    const message = "Must have at most 1000 fields and array elements";
    const details = [{ in: "body", path: "", code: "too_big", message }];
    for (const body of [
      JSON.stringify(Object.fromEntries(names(1_001).map((name) => [name, 1]))),
      `[${"[],".repeat(1_000)}[]]`,
      `{"title": [${"1,".repeat(100_000)}1]}`,
      "[".repeat(100_000),
      `{"title": "${'\\"'.repeat(100)}", "variants": [${'"a",'.repeat(1_000)}`,
    ]) {
      const { status, json } = await world.call("POST", "/products", { body });
      expect(status).to.equal(400);
      expect(json.details).to.deep.equal(details);
    }
  });

  it("may have a title of brackets and quotes", async () => {
    const title = '{"[\\"'.repeat(40);
    const { status, json } = await create({ title, price: 1 });
    expect([status, json.product.title]).to.deep.equal([201, title]);
  });

  it("gets the first ones listed: unknown parameters, and invalid text", async () => {
    for (const value of ["1", "%ff"]) {
      const query = names(900).map((name) => `${name}=${value}`);
      const { status, json } = await world.call("GET", `/products?${query.join("&")}`);
      expect(status).to.equal(400);
      expect(json.details).to.have.length(MOST);
    }
  });

  it("gets the first ones listed, from all parts", async () => {
    const query = names(15).join("&");
    const body = Object.fromEntries(names(15).map((name) => [name, 1]));
    const { json } = await world.call("POST", `/products?${query}`, { body });
    const parts = json.details.map((detail: { in: string }) => detail.in);
    expect(parts).to.deep.equal([...Array<string>(15).fill("query"), ...Array<string>(5).fill("body")]);
  });

  it("may have a title as long as a body", async () => {
    const { status, json } = await create({ title: "x".repeat(255 * 1024), price: 1 });
    expect(status).to.equal(400);
    const message = "Must have at most 255 characters";
    expect(json.details).to.deep.equal([{ in: "body", path: "title", code: "too_big", message }]);
  });
});
