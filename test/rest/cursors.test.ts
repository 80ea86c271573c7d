import { expect } from "chai";
import { call } from "../support/client.ts";
import { buildCustomer, buildOrder, buildProduct } from "../support/factories.ts";
import { linksOf } from "../support/requests/links.ts";
import { useServer } from "../support/server.ts";
import { openWorld, World } from "../support/world.ts";

describe("The cursor of a list", () => {
  const world = new World(useServer());
  const { server, shop } = world;
  /** The target of rel="next" on the first page of two products. */
  let next: string;

  before(async () => {
    await world.open();
    for (const build of [buildProduct, buildOrder, buildCustomer]) {
      for (let count = 0; count < 5; count += 1) await build(server.em, shop);
    }
    next = (await linksAt(`/${shop.id}/products?limit=2&status=ACTIVE&search=test+product`)).next!;
  });

  const get = async (target: string, { key } = world) => call(server, "GET", target, { key: await key() });

  async function linksAt(target: string): Promise<Record<string, string>> {
    const { status, headers, text } = await get(target);
    expect(status, text).to.equal(200);
    return linksOf(headers);
  }

  /** A target with other parameters; undefined removes one. */
  function withParameters(target: string, changes: Record<string, string | undefined>): string {
    const [path, query] = target.split("?");
    const parameters = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) parameters.delete(name);
      else parameters.set(name, value);
    }
    return `${path}?${parameters}`;
  }

  async function expectRefused(
    target: string,
    message = /^Must come from the previous page of this list/,
  ): Promise<void> {
    const { status, json } = await get(target);
    expect(status, target).to.equal(400);
    expect(json.details, target).to.have.length(1);
    expect(json.details[0], target).to.include({ in: "query", path: "cursor", code: "invalid_value" });
    expect(json.details[0].message, target).to.match(message);
  }

  it("comes with the other parameters, and without a page", () => {
    const parameters = new URLSearchParams(next.split("?")[1]);
    expect([...parameters.keys()]).to.have.members(["limit", "status", "search", "cursor"]);
    expect(parameters.get("search")).to.equal("test product");
    expect(parameters.get("cursor")).to.have.length.below(200);
  });

  it("comes with the search, whatever its characters", async () => {
    const other = await openWorld(server);
    for (const search of ["what? now?", "a&b=c", "50%", "1+1", "ö#"]) {
      for (let count = 0; count < 2; count += 1) await buildProduct(server.em, other.shop, { title: `Tea ${search}` });
      const target = `/products?limit=1&${new URLSearchParams({ search })}`;
      const links = linksOf((await other.call("GET", target)).headers);
      expect((await get(links.next!, other)).json.pagination, search).to.include({ page: 2, total: 2 });
      for (const link of Object.values(links)) {
        expect(new URLSearchParams(link.replace(/^[^?]*\?/, "")).get("search")).to.equal(search);
      }
    }
  });

  it("continues the page number of its link", async () => {
    const { json } = await get(next);
    expect(json.pagination).to.deep.equal({ page: 2, limit: 2, total: 5, pages: 3 });
    const third = (await linksAt(`/${shop.id}/products?limit=1&page=2`)).next!;
    expect((await get(third)).json.pagination).to.include({ page: 3, total: 5 });
  });

  it("leads to the same records as the page number", async () => {
    for (const path of ["products", "orders", "customers"]) {
      const { next: second } = await linksAt(`/${shop.id}/${path}?limit=2`);
      const byNumber = await get(`/${shop.id}/${path}?limit=2&page=2`);
      expect((await get(second!)).json, path).to.deep.equal(byNumber.json);
    }
  });

  it("leads back by number, and on by cursor", async () => {
    const links = await linksAt(next);
    expect(links).to.have.keys("first", "prev", "next", "last");
    const pageOf = (target: string) => new URLSearchParams(target.split("?")[1]).get("page");
    expect([links.first, links.prev, links.last].map((target) => pageOf(target!))).to.deep.equal(["1", "1", "3"]);
    for (const relation of ["first", "prev", "last"]) expect(links[relation], relation).not.to.include("cursor");
    const last = await linksAt(links.next!);
    expect(last).to.have.keys("first", "prev", "last");
    expect(pageOf(last.prev!)).to.equal("2");
  });

  it("works repeatedly, with parameters in any order", async () => {
    const { next: second } = await linksAt(`/${shop.id}/orders?limit=2`);
    const [path, query] = second!.split("?");
    const turned = `${path}?${query!.split("&").toReversed().join("&")}`;
    for (const target of [second!, second!, turned]) expect((await get(target)).status, target).to.equal(200);
  });

  it("is refused together with a page", async () => {
    await expectRefused(withParameters(next, { page: "2" }), /^Cannot be combined with page$/);
  });

  it("is refused with other parameters", async () => {
    const others = [
      { limit: "3" },
      { limit: undefined },
      { search: "test" },
      { search: undefined },
      { status: undefined },
    ];
    for (const changes of others) await expectRefused(withParameters(next, changes));
  });

  it("is refused by another list, and in another shop", async () => {
    const { next: second } = await linksAt(`/${shop.id}/orders?limit=2`);
    await expectRefused(second!.replace("/orders", "/customers"));
    const other = await openWorld(server);
    expect((await get(second!.replace(shop.id, other.shop.id), other)).status).to.equal(400);
  });

  it("is refused when forged or changed", async () => {
    const cursor = new URLSearchParams(next.split("?")[1]).get("cursor")!;
    const changed = [...cursor].flatMap((character, index) => [
      cursor.slice(0, index) + cursor.slice(index + 1),
      `${cursor.slice(0, index)}${character === "3" ? "4" : "3"}${cursor.slice(index + 1)}`,
    ]);
    for (const text of ["", "2", "next", "%", "2..AAAAAAAA", `${cursor} `, `0${cursor}`, ...changed]) {
      await expectRefused(withParameters(next, { cursor: text }));
    }
  });
});
