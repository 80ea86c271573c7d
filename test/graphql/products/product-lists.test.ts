import { expect } from "chai";
import { useWorld } from "../../support/world.ts";
import { importProduct } from "../../support/factories.ts";
import { documentOf } from "../../support/graphql.ts";

const LIST = documentOf("products");

interface Page {
  total: number;
  nextCursor: string | null;
  items: { id: string; title: string; variants: { id: string }[] }[];
}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 9, minute));

describe("Product lists", () => {
  const world = useWorld();
  const { server } = world;

  async function list(variables: object = {}): Promise<Page> {
    const { data, errors } = await world.ask(LIST, { ...variables });
    expect(errors).to.deep.equal([]);
    return data.shop.products;
  }

  async function titles(variables: object = {}): Promise<string[]> {
    const { items, total } = await list(variables);
    expect(total).to.equal(items.length);
    return items.map(({ title }) => title);
  }

  async function refusal(variables: object): Promise<string[]> {
    const { status, errors } = await world.ask(LIST, { ...variables });
    expect(status).to.equal(200);
    const { code, issues = [] } = errors[0]!.extensions as { code: string; issues?: { path: string; code: string }[] };
    return [code, ...issues.map((issue) => `${issue.path}: ${issue.code}`)];
  }

  function build(title: string, overrides: Parameters<typeof importProduct>[2] = {}) {
    return importProduct(server.em, world.shop, { title, ...overrides });
  }

  it("sort by creation, change or title, in both directions", async () => {
    await build("Beta", { createdAt: at(1), updatedAt: at(9) });
    await build("Alpha", { createdAt: at(2), updatedAt: at(8) });
    await build("Gamma", { createdAt: at(3), updatedAt: at(7) });
    expect(await titles()).to.deep.equal(["Gamma", "Alpha", "Beta"]);
    expect(await titles({ order: "ASC" })).to.deep.equal(["Beta", "Alpha", "Gamma"]);
    expect(await titles({ sort: "UPDATED_AT" })).to.deep.equal(["Beta", "Alpha", "Gamma"]);
    expect(await titles({ sort: "UPDATED_AT", order: "ASC" })).to.deep.equal(["Gamma", "Alpha", "Beta"]);
    expect(await titles({ sort: "TITLE", order: "ASC" })).to.deep.equal(["Alpha", "Beta", "Gamma"]);
    expect(await titles({ sort: "TITLE" })).to.deep.equal(["Gamma", "Beta", "Alpha"]);
  });

  it("filter by search, status, handle and time together", async () => {
    await build("Red mug", { createdAt: at(1), updatedAt: at(5), handle: "red-mug" });
    await build("Blue mug", { createdAt: at(2), updatedAt: at(4), status: "DRAFT" as never });
    await build("Red cup", { createdAt: at(3), updatedAt: at(3) });
    const since = { order: "ASC" };
    expect(await titles({ search: "MUG", ...since })).to.deep.equal(["Red mug", "Blue mug"]);
    expect(await titles({ status: "DRAFT" })).to.deep.equal(["Blue mug"]);
    expect(await titles({ status: "ACTIVE", ...since })).to.deep.equal(["Red mug", "Red cup"]);
    expect(await titles({ handle: "red-mug" })).to.deep.equal(["Red mug"]);
    expect(await titles({ handle: "RED-MUG" })).to.deep.equal([]);
    expect(await titles({ createdSince: at(2), ...since })).to.deep.equal(["Blue mug", "Red cup"]);
    expect(await titles({ updatedSince: at(4), ...since })).to.deep.equal(["Red mug", "Blue mug"]);
    const all = { search: "mug", status: "ACTIVE", handle: "red-mug", createdSince: at(1), updatedSince: at(5) };
    expect(await titles(all)).to.deep.equal(["Red mug"]);
    expect(await titles({ ...all, status: "DRAFT" })).to.deep.equal([]);
    const nothing = { search: null, status: null, handle: null, createdSince: null, updatedSince: null };
    expect(await titles(nothing)).to.have.length(3);
  });

  it("filter by a handle in any Unicode composition", async () => {
    await build("Büffel", { handle: "büffel" });
    for (const form of ["NFC", "NFD"]) expect(await titles({ handle: "büffel".normalize(form) })).to.have.length(1);
  });

  for (const [what, variables, issue] of [
    ["NUL in the search", { search: "\0" }, "search: invalid_text"],
    ["a lone surrogate in the search", { search: "\ud800" }, "search: invalid_text"],
    ["a long search", { search: "a".repeat(201) }, "search: too_big"],
    ["NUL in the handle", { handle: "\0" }, "handle: invalid_text"],
    ["page 0", { page: 0 }, "page: too_small"],
    ["limit 0", { limit: 0 }, "limit: too_small"],
  ] as const) {
    it(`refuse ${what}`, async () => {
      expect(await refusal(variables)).to.deep.equal(["VALIDATION_FAILED", issue]);
    });
  }

  it("accept every valid Timestamp", async () => {
    await build("Mug");
    for (const instant of ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"]) {
      expect(await titles({ createdSince: instant, updatedSince: instant }), instant).to.deep.equal(["Mug"]);
    }
    expect(await titles({ createdSince: "9999-12-31T23:59:59.999Z" })).to.deep.equal([]);
  });

  it("refuse any other Timestamp", async () => {
    for (const text of [
      "2026-01-31",
      "2026-01-31T09:30:00",
      "2026-02-31T00:00:00Z",
      "2026-01-31T25:00:00Z",
      "9999-12-31T23:59:59-01:00",
      "0000-01-01T00:00:00+01:00",
      "",
      5,
    ]) {
      const { errors } = await world.ask(LIST, { createdSince: text });
      expect(errors[0]?.extensions, String(text)).to.deep.include({ code: "BAD_USER_INPUT" });
    }
  });

  describe("by cursor", () => {
    const sortings = ["CREATED_AT", "UPDATED_AT", "TITLE"].flatMap((sort) =>
      ["ASC", "DESC"].map((order) => ({ sort, order })),
    );

    /** Every page, with what `between` does after each. */
    async function readAll(variables: object, between: (page: number) => Promise<void> = async () => {}) {
      const items: Page["items"] = [];
      let after: string | null = null;
      for (let page = 0; page === 0 || after !== null; page += 1) {
        const read: Page = await list({ limit: 4, ...variables, after });
        items.push(...read.items);
        after = read.nextCursor;
        await between(page);
      }
      return items;
    }

    for (const { sort, order } of sortings) {
      it(`are complete with equal values (${sort} ${order})`, async () => {
        const ids = [];
        // Two thirds have a namesake of the same millisecond.
        for (let index = 0; index < 13; index += 1) {
          const same = { createdAt: at(index % 3), updatedAt: at(index % 3) };
          ids.push((await build(`Mug ${index % 3}`, same)).id);
        }
        const items = await readAll({ sort, order });
        expect(items.map(({ id }) => id)).to.have.members(ids);
        expect(items).to.have.length(13);
        const whole = await list({ sort, order });
        expect(items).to.deep.equal(whole.items);
        const byPage = [];
        for (const page of [1, 2, 3, 4]) byPage.push(...(await list({ sort, order, page, limit: 4 })).items);
        expect(byPage).to.deep.equal(whole.items);
      });
    }

    it("are filtered on each page", async () => {
      for (let index = 0; index < 9; index += 1) {
        await build(`Mug ${index}`, { status: (index % 2 === 0 ? "ACTIVE" : "DRAFT") as never });
      }
      const items = await readAll({ status: "ACTIVE", search: "mug", limit: 2 });
      expect(items.map(({ title }) => title).toSorted()).to.deep.equal(["Mug 0", "Mug 2", "Mug 4", "Mug 6", "Mug 8"]);
    });

    it("end with null, also after a full page and on an empty list", async () => {
      expect(await list()).to.deep.equal({ total: 0, items: [], nextCursor: null });
      for (const title of ["A", "B"]) await build(title);
      expect((await list({ limit: 2 })).nextCursor).to.equal(null);
      expect((await list({ limit: 1 })).nextCursor).to.be.a("string");
    });

    it("refuse a cursor of another order, sort or list", async () => {
      for (const title of ["A", "B"]) await build(title);
      const { nextCursor: after } = await list({ limit: 1 });
      for (const other of [{ order: "ASC" }, { sort: "TITLE" }, { page: 1 }]) {
        expect(await refusal({ after, ...other })).to.deep.equal(["VALIDATION_FAILED", "after: invalid_value"]);
      }
      const { errors } = await world.ask(
        "query ($shopId: ID!, $after: String) { shop(id: $shopId) { stockChanges(after: $after) { total } } }",
        { after },
      );
      expect(errors[0]!.extensions.code).to.equal("VALIDATION_FAILED");
    });

    it("refuse forged cursors without an internal error", async () => {
      await build("A");
      const forge = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");
      const forged = [
        "",
        "nonsense",
        "\0",
        "\ud800",
        "%",
        forge(null),
        forge({}),
        forge(["products created_at desc"]),
        forge(["products created_at desc", "2026-01-31", 1]),
        forge(["products created_at desc", "yesterday or so", "prod_1"]),
        forge(["products created_at desc", "", ""]),
        forge(["products created_at desc", "\0", "prod_1"]),
        forge(["products created_at desc", "2026-01-31", "\0"]),
        forge(["products created_at desc", "2026-01-31 Nowhere/Land", "prod_1"]),
        forge(["products created_at desc", "99999999-01-01", "prod_1"]),
        forge(["products created_at desc", "2026-02-30", "prod_1"]),
        forge(["products id desc", "2026-01-31", "prod_1"]),
      ];
      for (const after of forged) {
        expect(await refusal({ after }), JSON.stringify(after)).to.deep.equal([
          "VALIDATION_FAILED",
          "after: invalid_value",
        ]);
      }
    });
  });
});
