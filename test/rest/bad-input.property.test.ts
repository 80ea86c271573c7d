import { expect } from "chai";
import fc from "fast-check";
import { routes } from "../../src/rest/router.ts";
import { anyText, jsonValue, nested, queryText, trickyName } from "../support/properties/arbitraries.ts";
import { call, type Answer } from "../support/client.ts";
import { holds } from "../support/properties/holds.ts";
import { useMerchant } from "../support/requests/merchant.ts";
import { wrongFields, wrongParameters } from "../support/properties/rules.ts";
import { useServer } from "../support/server.ts";

const BODY_LIMIT = 256 * 1024;
const fieldNames = ["title", "price", "sku", "inventoryQuantity", "status"];

describe("Bad input", () => {
  const server = useServer();
  const merchant = useMerchant(server);

  function expectNamed(answer: Answer, wrong: string[], part: "body" | "query"): void {
    const details = answer.json.details as { in: string; path: string }[];
    expect(answer.json.error).to.equal("Validation error");
    expect(new Set(details.map((detail) => detail.in))).to.deep.equal(new Set([part]));
    expect(new Set(details.map((detail) => detail.path))).to.deep.equal(new Set(wrong));
  }

  const parameterName = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("page", "limit", "search", "status", "cursor") },
    { weight: 1, arbitrary: fc.constantFrom("page[]", "page[a]", "limit[0]", "p%61ge", "Page", "page%00", "%70age") },
    { weight: 1, arbitrary: fc.oneof(trickyName.map(encodeURIComponent), queryText) },
  );
  const parameterValue = fc.oneof(
    queryText,
    fc.integer({ min: -1, max: 300 }).map(String),
    fc.constantFrom("1", "250", "251", "2147483647", "2147483648", "9223372036854775808", "1e3", "1.5", "01", "%31"),
    fc.constantFrom("ACTIVE", "DRAFT", "active", "ACTIVE%00", "a".repeat(200), "a".repeat(201), "%F0%9F%98%80"),
    fc.constantFrom("2..AAAAAAAA", "-1.a.AAAAAAAA", "2.a.AAAA", "2.%00.AAAAAAAA"),
  );
  const pair = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(parameterName, parameterValue).map(([name, value]) => `${name}=${value}`) },
    { weight: 1, arbitrary: parameterName },
    { weight: 1, arbitrary: queryText },
  );
  const queryString = fc
    .array(pair, { minLength: 1, maxLength: 4 })
    .map((pairs) => pairs.join("&"))
    // A fetch would take these for something else than a query.
    .filter((text) => !text.includes("#"));

  for (const route of routes) {
    holds(`in the query of ${route.method} ${route.path} is refused and named`, 15, () =>
      fc.asyncProperty(queryString, async (query) => {
        const body = route.body && { title: "Mug", price: 1 };
        const answer = merchant.note(
          await call(server, route.method, `${merchant.pathOf(route)}?${query}`, { key: merchant.key, body }),
        );
        const wrong = wrongParameters(query, Object.keys(route.query.shape));
        expect(answer.status, answer.text).to.equal(wrong.length > 0 ? 400 : route.status);
        if (wrong.length > 0) expectNamed(answer, wrong, "query");
      }),
    );
  }

  const fieldName = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...fieldNames) },
    { weight: 1, arbitrary: fc.oneof(trickyName, anyText) },
  );
  const goodField = fc.constantFrom<[string, string]>(
    ["title", '"Mug"'],
    ["price", "14.5"],
    ["sku", '"MUG-01"'],
    ["inventoryQuantity", "40"],
    ["status", '"DRAFT"'],
  );
  const objectText = (pairs: [name: string, value: string][]) =>
    `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
  const anyField = fc.oneof({ weight: 2, arbitrary: goodField }, fc.tuple(fieldName, jsonValue));
  const bodyText = fc.uniqueArray(anyField, { maxLength: 8, selector: ([name]) => name }).map(objectText);

  holds("in the fields of a body is refused and named", 125, () =>
    fc.asyncProperty(bodyText, async (text) => {
      const wrong = wrongFields(JSON.parse(text) as Record<string, unknown>);
      const answer = await merchant.post(text);
      expect(answer.status, answer.text).to.equal(wrong.length > 0 ? 400 : 201);
      if (wrong.length > 0) expectNamed(answer, wrong, "body");
    }),
  );

  for (const field of fieldNames) {
    holds(`in ${field} alone is refused and named`, 30, () =>
      fc.asyncProperty(jsonValue, async (value) => {
        const others = Object.entries({ title: '"Mug"', price: "1" }).filter(([name]) => name !== field);
        const text = objectText([...others, [field, value]]);
        const wrong = wrongFields(JSON.parse(text) as Record<string, unknown>);
        const answer = await merchant.post(text);
        expect(answer.status, answer.text).to.equal(wrong.length > 0 ? 400 : 201);
        if (wrong.length > 0) expectNamed(answer, [field], "body");
      }),
    );
  }

  const simpleField = fc.oneof(
    goodField,
    fc.tuple(fc.constantFrom(...fieldNames), fc.constantFrom("-1", "null", '""', '"x"', "1.5", "[]", "{}")),
  );

  holds("in a field that comes more than once counts only in the last of them", 25, () =>
    fc.asyncProperty(fc.array(simpleField, { minLength: 4, maxLength: 12 }).map(objectText), async (text) => {
      const wrong = wrongFields(JSON.parse(text) as Record<string, unknown>);
      const answer = await merchant.post(text);
      expect(answer.status, answer.text).to.equal(wrong.length > 0 ? 400 : 201);
      if (wrong.length > 0) expectNamed(answer, wrong, "body");
    }),
  );

  const anyBody = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
    jsonValue.map((text) => Buffer.from(text)),
    bodyText.chain((text) => fc.nat(text.length).map((end) => Buffer.from(text.slice(0, end)))),
    bodyText.map((text) => Buffer.from(`\ufeff${text}`)),
    bodyText.map((text) => Buffer.from(text, "utf16le")),
    bodyText.map((text) => Buffer.from(`${text}${text}`)),
    fc
      .tuple(bodyText, fc.nat(), fc.nat(0xff))
      .map(([text, at, byte]) => Buffer.from(text).fill(byte, at % text.length, (at % text.length) + 1)),
  );
  // Larger ones are refused as such, whatever they hold.
  const wholeBody = anyBody.filter((bytes) => bytes.length <= BODY_LIMIT);

  function parse(bytes: Buffer): unknown {
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      return undefined;
    }
  }

  holds("as a whole body is refused", 75, () =>
    fc.asyncProperty(wholeBody, async (bytes) => {
      const value = parse(bytes);
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      const isGood = isObject && wrongFields(value as Record<string, unknown>).length === 0;
      const answer = await merchant.post(bytes);
      expect(answer.status, answer.text).to.equal(isGood ? 201 : 400);
      if (!isGood) {
        expect(answer.json.error).to.equal("Validation error");
        expect(answer.json.details).to.be.an("array").that.is.not.empty;
      }
    }),
  );

  const huge: [what: string, body: () => string, status: number][] = [
    ["200,000 levels that never close", () => "[".repeat(200_000), 400],
    ["131,072 levels", () => nested(BODY_LIMIT / 2), 400],
    ["131,000 levels in a field", () => `{"title":${nested(131_000)},"price":1}`, 400],
    ["43,000 objects inside each other", () => `${'{"a":'.repeat(43_000)}1${"}".repeat(43_000)}`, 400],
    ["a title that fills the body", () => `{"price":1,"title":"${"a".repeat(BODY_LIMIT - 22)}"}`, 400],
    ["a sku that fills the body", () => `{"price":1,"title":"a","sku":"${"\\u0000".repeat(40_000)}"}`, 400],
    ["a number that fills the body", () => `{"title":"a","price":${"9".repeat(262_000)}}`, 400],
    ["decimals that fill the body", () => `{"title":"a","price":0.${"1".repeat(262_000)}}`, 400],
    ["a name that fills the body", () => `{"${"a".repeat(262_000)}":1}`, 400],
    [
      "20,000 unknown fields",
      () => `{${Array.from({ length: 20_000 }, (_, index) => `"f${index}":1`).join(",")}}`,
      400,
    ],
    ["20,000 times the same field", () => `{${'"price":-1,'.repeat(20_000)}"price":-1,"title":"a"}`, 400],
    ["a body of 256 KiB", () => `${" ".repeat(BODY_LIMIT - 23)}{"title":"a","price":1}`, 201],
    ["a body of one byte more", () => `${" ".repeat(BODY_LIMIT - 22)}{"title":"a","price":1}`, 413],
  ];

  for (const [what, body, status] of huge) {
    it(`answers ${what} with ${status}`, async () => {
      const answer = await merchant.post(body());
      expect(answer.status, answer.text.slice(0, 500)).to.equal(status);
    });
  }

  const rounded: [field: string, text: string][] = [
    ["price", '{"title":"Mug","price":14.500000000000000000001}'],
    ["price", '{"title":"Mug","price":999999999999.990000000001}'],
    ["price", '{"title":"Mug","price":1e-400}'],
    ["price", String.raw`{"title":"Mug","pr\u0069ce":1e-400}`],
    ["inventoryQuantity", '{"title":"Mug","price":1,"inventoryQuantity":40.00000000000000000001}'],
    ["inventoryQuantity", '{"title":"Mug","price":1,"inventoryQuantity":1e-400}'],
  ];

  for (const [field, text] of rounded) {
    it(`in ${field} is refused if the stored number would differ: ${text}`, async () => {
      const answer = await merchant.post(text);
      expect(answer.status, answer.text).to.equal(400);
      expectNamed(answer, [field], "body");
    });
  }
});
