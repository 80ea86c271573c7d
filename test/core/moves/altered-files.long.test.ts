import { randomBytes } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { operator } from "../../../src/core/access/actor.ts";
import { openShop } from "../../../src/core/moves/close-shop.ts";
import { listMovedTables } from "../../../src/core/moves/moved-tables.ts";
import { kysely } from "../../../src/core/queries/database.ts";
import { call } from "../../support/client.ts";
import { query } from "../../support/database.ts";
import { askGraphql, logIn } from "../../support/graphql.ts";
import { holds } from "../../support/properties/holds.ts";
import { shopReads } from "../../support/requests/schema-reads.ts";
import { useServer } from "../../support/server.ts";
import { buildFullShop, type FullShop } from "../../support/shops/full-shop.ts";
import { closeLongAgo, exportText, importText, rewrite } from "../../support/shops/moves.ts";

const HASH = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

/** Values as JSON that the API could not have written, and the reason in the refusal. */
const refused: [column: string, value: string, reason: RegExp][] = [
  ["products.created_at", '"infinity"', /time in UTC/],
  ["products.created_at", '"0044-03-15T00:00:00+00:00 BC"', /time in UTC/],
  ["orders.updated_at", '"+275760-09-13T00:00:00+00:00"', /time in UTC/],
  ["orders.created_at", '"2026-02-31T00:00:00+00:00"', /out of range/],
  ["customers.created_at", '"2026-01-31T09:30:00+02:00"', /time in UTC/],
  ["variants.price", '"NaN"', /number/],
  ["variants.price", '"Infinity"', /number/],
  ["variants.price", "1e300", /at most/],
  ["variants.price", "1.123456789", /2 decimal places in EUR/],
  ["variants.price", "1.5", /2 decimal places/],
  ["variants.price", "-1.00", /at least 0/],
  ["payments.amount", "10000000000000.00", /at most/],
  ["shops.cash_rounding", "0.001", /2 decimal places/],
  ["order_items.tax_rate", "101", /at most 100/],
  ["products.id", '"<img src=x onerror=alert(1)>"', /Must be an identifier/],
  ["products.id", '"../../../admin/login?x="', /identifier/],
  ["products.id", '"cus_01jh0000000000000000000000"', /products_id_check/],
  ["shops.id", '"<script>alert(1)</script>"', /one of shop_/],
  ["variants.product_id", '"cus_01jh0000000000000000000000"', /identifier that starts with prod_/],
  ["products.shop_id", '"shop_01jh0000000000000000000000"', /one of shop_/],
  ["audit_entries.actor_id", '"x"', /identifier/],
  ["shops.currency", '"<b>"', /currency/],
  ["shops.currency", '"XYZ"', /currency/],
  ["orders.currency", '"USD"', /shop's/],
  ["products.title", "null", /string/],
  ["products.title", '"a\\u0000b"', /NUL/],
  ["products.title", '"\\ud800"', /surrogates/],
  ["products.title", `"${"x".repeat(3_000_000)}"`, /at most 255/],
  ["products.title", nested, /string/],
  ["idempotency_keys.result", nested, /stack depth/],
  ["products.handle", '"Not A Handle"', /lowercase/],
  ["products.status", '"SOLD"', /one of/],
  ["products.version", "0", /at least 1/],
  ["products.version", "1e2", /invalid input syntax/],
  ["products.option_names", '"Size"', /array/],
  ["variants.inventory_quantity", "2147483648", /at most/],
  ["order_items.refunded_quantity", "-1", /at least 0/],
  ["customers.email", '"nobody"', /email address/],
  ["customers.email", '" ada@example.com"', /as the API writes it/],
  ["customers.phone", '"<phone>"', /digits/],
  ["api_keys.digest", '"\\\\x00"', /32 bytes/],
  ["api_keys.scopes", '["read_everything"]', /one of read_products/],
  ["service_tokens.permissions", '["ALL"]', /one of SETTINGS/],
  ["webhook_endpoints.url", '"javascript:alert(1)"', /./],
  ["webhook_endpoints.topics", '["order.eaten"]', /one of order\.created/],
  ["audit_entries.action", '"SOMETHING"', /one of/],
  ["audit_entries.details", '{"a":{"b":1}}', /string/],
  ["delivery_attempts.request_headers", '{"a":"b"}', /array/],
  ["delivery_attempts.total_ms", '"Infinity"', /number/],
  ["staff.password_hash", `"${HASH.replace("m=19456", "m=3000000")}"`, /argon2id/],
  ["staff.password_hash", `"${HASH.replace("t=2", "t=50")}"`, /argon2id/],
  ["staff.password_hash", `"${HASH.replace("p=1", "p=8")}"`, /argon2id/],
  ["staff.password_hash", '"$2b$10$abcdefghijklmnopqrstuv"', /argon2id/],
  ["products.unknown", "1", /not recognized/],
  ["orders.customer_id", '"cus_01jh0000000000000000000000"', /foreign key/],
];

/** Values that may stand in for any other. */
const anyValue = fc.oneof(
  fc.constantFrom(
    nested,
    ...`null true false 0 -1 1 2.00 2147483648 1e300 [] {} [["a","b"]] {"a":"b"} "" "NaN" "infinity" "<b>" "ACTIVE"
      "2026-01-31T09:30:00+00:00" "1970-01-01T00:00:00+00:00" "ord_01jh0000000000000000000000"
      "\\\\x${"0".repeat(64)}"`.split(/\s+/),
  ),
  fc.string({ maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc.integer({ min: -5, max: 300 }).map(String),
);

const documents = shopReads();

describe("An import of a file with one altered value", () => {
  const config = { encryptionKeys: [{ name: "test", key: randomBytes(32) }] };
  const source = useServer({ config });
  const target = useServer({ config });
  let full: FullShop;
  let file: string;
  /** The lines that have rows, by table. */
  let lines: string[];
  let tables: string;

  /** The line with another value, and all other values as they were written. */
  function alter(line: string, column: string, value: string): string {
    const keepNumbers = (_key: string, each: unknown, { source: text }: { source?: string }) =>
      typeof each === "number" ? (JSON as unknown as { rawJSON: (json: string) => unknown }).rawJSON(text!) : each;
    const parsed = JSON.parse(line, keepNumbers as Parameters<typeof JSON.parse>[1]);
    const [table] = Object.keys(parsed);
    parsed[table!][column] = "altered here";
    return JSON.stringify(parsed).replace('"altered here"', () => value);
  }

  /** The error message of an import, or undefined when it succeeds. */
  async function refusalOf(text: string): Promise<string | undefined> {
    const error = await importText(target, text).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    if (error) expect(error.name, error.stack).to.equal("OperatorError");
    return error?.message;
  }

  /** Reads all records in REST and GraphQL. Refusals are fine, internal errors are not. */
  async function readEverything(): Promise<void> {
    const { id } = full.shop;
    for (const list of ["products", "orders", "customers"]) {
      const { status, text } = await call(target, "GET", `/${id}/${list}?limit=250`, { key: full.key });
      expect(status, text).to.be.lessThan(500);
      const [first] = status === 200 ? JSON.parse(text)[list] : [];
      if (first)
        expect((await call(target, "GET", `/${id}/${list}/${first.id}`, { key: full.key })).status).to.equal(200);
    }
    const session = await logIn(target, full.owner);
    for (const document of documents) {
      const { errors } = await askGraphql(target, document, { id }, session);
      const codes = errors.map(({ extensions }) => extensions.code);
      expect(
        codes.filter(
          (code) => !["UNAUTHENTICATED", "SECOND_FACTOR_NOT_ENROLLED", "FORBIDDEN", "SHOP_NOT_FOUND"].includes(code),
        ),
        document,
      ).to.deep.equal([]);
    }
  }

  // Without the log of earlier reads, which is written a second later, and words, which an import computes again.
  const rowsOf = (text: string) =>
    text
      .split("\n")
      .filter((line) => !/^\{"(format|rows|shops|audit_entries|api_requests|hourly_requests)"/.test(line))
      .map((line) => line.replace(/"search_words":"(?:[^"\\]|\\.)*",/, ""))
      .toSorted();

  before("export a shop", async () => {
    full = await buildFullShop(source, "https://receiver.example/hooks");
    await closeLongAgo(source, full.shop);
    file = await exportText(source, full.shop);
    lines = file.trimEnd().split("\n").slice(1, -1);
    tables = (await listMovedTables(kysely(target.em))).map(({ name }) => name).join(", ");
  });

  afterEach("take nothing", async () => {
    expect(await query(target.databaseUrl, "select id from shops")).to.deep.equal([]);
  });

  it("is refused with the line and the column, whatever the API could not have written", async () => {
    for (const [place, value, reason] of refused) {
      const [table, column] = place.split(".") as [string, string];
      const line = lines.findIndex((each) => each.startsWith(`{"${table}":`));
      const altered = alter(lines[line]!, column, value);
      const message = await refusalOf(rewrite(file, (each) => (each === lines[line] ? altered : each)));
      expect(message, place)
        .to.match(new RegExp(`^Line ${line + 2}: ${table}`))
        .and.match(reason);
      expect(message!.length, place).to.be.lessThan(2_000);
    }
  });

  it("is refused when rows contradict each other", async () => {
    const change = (from: RegExp, to: string) => refusalOf(rewrite(file, (line) => line.replace(from, to)));
    expect(await change(/^(\{"orders":.*"subtotal_amount":)[\d.]+/, "$11234.56")).to.match(
      /^The total of order \d+ is not/,
    );
    expect(await change(/^(\{"number_sequences":.*"ORDER","last_number":)\d+/, "$11")).to.match(
      /^The last number of ORDER/,
    );
  });

  it("is refused when a line is endless", async () => {
    const [header] = file.split("\n");
    const message = await refusalOf(`${header}\n{"products":{"title":"${"x".repeat(20 * 2 ** 20)}"}}\n`);
    expect(message).to.equal("The file has a line of more than 8 MiB, which no export writes");
  });

  holds("is refused in a sentence, or imports the value, and all reads work", 20, () =>
    fc.asyncProperty(fc.nat(), fc.nat(), anyValue, async (row, place, value) => {
      const names = [...new Set(lines.map((line) => /\w+/.exec(line)![0]))];
      const ofTable = lines.filter((line) => line.startsWith(`{"${names[row % names.length]}":`));
      const line = ofTable[row % ofTable.length]!;
      const columns = Object.keys(Object.values(JSON.parse(line) as Record<string, object>)[0]!);
      const altered = alter(line, columns[place % columns.length]!, value);
      const text = rewrite(file, (each) => (each === line ? altered : each));
      const message = await refusalOf(text);
      if (message !== undefined) {
        expect(message).to.match(/^[A-Z][^\n]*$/);
        return;
      }
      try {
        await closeLongAgo(target, full.shop);
        expect(rowsOf(await exportText(target, full.shop))).to.deep.equal(rowsOf(text));
        await openShop({ em: target.em, shop: full.shop, actor: operator });
        await readEverything();
      } finally {
        await query(target.databaseUrl, `truncate ${tables}, record_counts, sessions cascade`);
      }
    }),
  );
});
