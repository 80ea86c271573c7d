import { expect } from "chai";
import type { CallOptions } from "../support/client.ts";
import { useWorld } from "../support/world.ts";

interface Detail {
  in: string;
  path: string;
  code: string;
  message: string;
}

describe("POST /products with an invalid body", () => {
  const world = useWorld();

  afterEach("nothing was created", async () => {
    const [row] = await world.sql<{ rows: string }>(
      `select (select count(*) from products where shop_id = $1) + (select count(*) from events where shop_id = $1)
       + (select count(*) from idempotency_keys where shop_id = $1) as rows`,
    );
    expect(row!.rows).to.equal("0");
  });

  async function refuse(body: unknown, options: CallOptions & { parameters?: string } = {}): Promise<Detail[]> {
    const { parameters = "", ...rest } = options;
    const { status, json } = await world.call("POST", `/products${parameters}`, { body, ...rest });
    const sent = JSON.stringify(body);
    expect(status, sent).to.equal(400);
    expect(Object.keys(json), sent).to.deep.equal(["error", "details"]);
    expect(json.error).to.equal("Validation error");
    return json.details;
  }

  /** The faults of an answer, one line each, without the words for people. */
  async function problems(body: unknown, options?: CallOptions & { parameters?: string }): Promise<string[]> {
    const details = await refuse(body, options);
    for (const { message } of details) expect(message).to.match(/^[A-Z].+[^.]$/);
    return details.map((detail) => `${detail.in} ${detail.path}: ${detail.code}`);
  }

  const valid = { title: "Mug", price: 1 };

  const rules: [rule: string, body: Record<string, unknown>, problem: string][] = [
    ["a missing title", { title: undefined }, "body title: required"],
    ["an empty title", { title: "" }, "body title: too_small"],
    ["a title of white space", { title: " \t\n\u00a0" }, "body title: too_small"],
    ["a title of which nothing is seen", { title: " \u200b\u00ad\u202e\u0001 " }, "body title: too_small"],
    ["a title of 256 characters", { title: "🍵".repeat(256) }, "body title: too_big"],
    ["a title that is a number", { title: 1 }, "body title: invalid_type"],
    ["a title that is null", { title: null }, "body title: invalid_type"],
    ["a title that is a list", { title: ["Mug"] }, "body title: invalid_type"],
    ["NUL in the title", { title: "a\0b" }, "body title: invalid_text"],
    ["a lone surrogate in the title", { title: "a\ud800b" }, "body title: invalid_text"],
    ["a missing price", { price: undefined }, "body price: required"],
    ["a price as text", { price: "1.00" }, "body price: invalid_type"],
    ["a price that is null", { price: null }, "body price: invalid_type"],
    ["a negative price", { price: -0.01 }, "body price: too_small"],
    ["a price that is too high", { price: 1_000_000_000_000 }, "body price: too_big"],
    ["a price that is a little too high", { price: 999_999_999_999.995 }, "body price: too_big"],
    ["an enormous price", { price: 1e300 }, "body price: too_big"],
    ["a price with too many decimals", { price: 0.005 }, "body price: too_many_decimals"],
    ["an unknown status", { status: "GONE" }, "body status: invalid_value"],
    ["a status in lower case", { status: "active" }, "body status: invalid_value"],
    ["a status that is null", { status: null }, "body status: invalid_value"],
    ["a sku of 65 characters", { sku: "a".repeat(65) }, "body sku: too_big"],
    ["a sku that is null", { sku: null }, "body sku: invalid_type"],
    ["NUL in the sku", { sku: "\0" }, "body sku: invalid_text"],
    ["a line break in the sku", { sku: "A\n1" }, "body sku: invalid_text"],
    ["a line separator in the sku", { sku: "A\u20281" }, "body sku: invalid_text"],
    ["a control character in the sku", { sku: "A\u00851" }, "body sku: invalid_text"],
    ["a lone surrogate in the sku", { sku: "\udc00" }, "body sku: invalid_text"],
    ["negative stock", { inventoryQuantity: -1 }, "body inventoryQuantity: too_small"],
    ["too much stock", { inventoryQuantity: 1_000_000_001 }, "body inventoryQuantity: too_big"],
    ["half a unit of stock", { inventoryQuantity: 1.5 }, "body inventoryQuantity: invalid_type"],
    ["stock as text", { inventoryQuantity: "1" }, "body inventoryQuantity: invalid_type"],
    ["an unknown field", { handle: "mug" }, "body handle: unknown_field"],
    ["a field in other letters", { Sku: "A" }, "body Sku: unknown_field"],
  ];
  for (const [rule, body, problem] of rules) {
    it(`refuses ${rule}`, async () => {
      expect(await problems({ ...valid, ...body })).to.deep.equal([problem]);
    });
  }

  it("lists every problem at once", async () => {
    const body = { title: " ", price: -1, status: "GONE", sku: "a".repeat(65), inventoryQuantity: 0.5, one: 1, two: 2 };
    expect(await problems(body)).to.have.members([
      "body title: too_small",
      "body price: too_small",
      "body status: invalid_value",
      "body sku: too_big",
      "body inventoryQuantity: invalid_type",
      "body one: unknown_field",
      "body two: unknown_field",
    ]);
  });

  it("lists problems of query, header and body at once", async () => {
    const options = { parameters: "?dry=1", headers: { "Idempotency-Key": "a".repeat(256) } };
    expect(await problems({ price: 1 }, options)).to.have.members([
      "query dry: unknown_field",
      "header Idempotency-Key: invalid_value",
      "body title: required",
    ]);
  });

  it("refuses JSON that is not an object", async () => {
    for (const body of ["[]", '[{"title":"Mug","price":1}]', "null", "1", '"Mug"', "true"]) {
      expect(await problems(body), body).to.deep.equal(["body : invalid_type"]);
    }
  });

  it("refuses text that is not JSON", async () => {
    for (const body of [
      "{",
      "",
      " ",
      "{title:1}",
      "{'title':1}",
      '{"title":"Mug","price":1,}',
      "NaN",
      '{"price":01}',
    ]) {
      expect(await problems(body), body).to.deep.equal(["body : invalid_json"]);
    }
  });

  it("explains the limits", async () => {
    const details = await refuse({ ...valid, inventoryQuantity: -1, sku: "a".repeat(65), status: "GONE" });
    const messages = Object.fromEntries(details.map(({ path, message }) => [path, message]));
    expect(messages.inventoryQuantity).to.equal("Must be at least 0");
    expect(messages.sku).to.equal("Must have at most 64 characters");
    expect(messages.status).to.equal("Must be one of ACTIVE, DRAFT, ARCHIVED");
  });
});
