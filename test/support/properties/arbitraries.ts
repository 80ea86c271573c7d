import fc from "fast-check";

/** Any code point except surrogates. fast-check's own "binary" is the same but takes seconds to create. */
export const codePoint: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0xffff), fc.integer({ min: 0x10000, max: 0x10ffff }))
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/** Text that programs encounter: words, any code point, lone surrogates, NUL, and syntax of other languages. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "a\udc00b",
    "\ufeff",
    "null",
    "undefined",
    "NaN",
    "Infinity",
    "-0",
    "1e3",
    "9223372036854775808",
    "__proto__",
    "constructor",
    "toString",
    "%",
    "_",
    "\\",
    "%00",
    "%c0%af",
    "' or ''='",
    "\u202e\u2066",
    "\r\nX-Injected: 1",
    "[raw]: now()",
  ),
);

/** Names with a meaning in JavaScript, object-relational mappers or parsers of nested parameters. */
export const trickyName = fc.constantFrom(
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "toJSON",
  "then",
  "__raw",
  "sql",
  "$ne",
  "id",
  "shopId",
  "handle",
  "description",
  "price.amount",
  "title[]",
  "",
);

/** Numbers at and beyond every bound, in every JSON spelling, except numbers that a double would round. */
const edgeNumbers =
  "-0 0 0.0 1e0 1e3 1E+3 1e400 -1e400 1e-7 0.001 0.005 1.005 1.5 -1 999999999999.99 999999999999.991 1000000000000 1e12 " +
  "1000000000 1000000001 2147483648 9007199254740992 9223372036854775808 18446744073709551616";

const numberText = fc.oneof(
  fc.constantFrom(...edgeNumbers.split(" "), "1".repeat(400), `0.5${"0".repeat(400)}`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  fc.integer({ min: 0, max: 1_000_000 }).map((cents) => String(cents / 100)),
);

/** Objects that careless code would execute, merge or coerce. */
const trickyObject = fc.constantFrom(
  '{"__raw":true,"sql":"now()","params":[]}',
  '{"sql":"1; drop table products","params":[]}',
  '{"$ne":null}',
  '{"$raw":"now()"}',
  '{"[raw]: now()":1}',
  '{"toString":"x","valueOf":"y"}',
  '{"toJSON":"x"}',
  '{"__proto__":{"title":"x"}}',
  '{"constructor":{"prototype":{"title":"x"}}}',
  '{"length":1,"0":"x"}',
  '{"type":"Buffer","data":[1]}',
);

/** Texts of the maximum length or one longer, of characters with one or two UTF-16 code units. */
const longText = fc
  .tuple(fc.constantFrom("a", "\u{1f375}"), fc.constantFrom(64, 65, 255, 256))
  .map(([character, length]) => character.repeat(length));

/** A JSON value as text: of the right type, of a wrong type, or one that only text can express. */
export const jsonValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: anyText.map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: longText.map((text) => JSON.stringify(text)) },
  { weight: 3, arbitrary: numberText },
  { weight: 1, arbitrary: fc.constantFrom("null", "true", "false", "[]", "{}", "[1]", '["x"]', '[["x"]]') },
  { weight: 1, arbitrary: trickyObject },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 150 }).map((depth) => nested(depth)) },
);

export function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

/** A percent-encoded text, or one that looks similar. */
export const queryText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: anyText.filter((text) => text.isWellFormed()).map((text) => encodeURIComponent(text)) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom(..."%+=[]()*;:@/?$,0123456789abcdefABCDEF"), maxLength: 12 }),
  },
  { weight: 1, arbitrary: fc.constantFrom("%", "%zz", "%ff", "%c0%af", "%ed%a0%80", "%00", "+", "%F4%90%80%80") },
);

/** A header value that a client could send: visible ASCII, spaces, tabs and bytes beyond ASCII (latin1). */
export const headerValue: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme-ascii", maxLength: 80 }),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 9 : code)),
    maxLength: 300,
  }),
  fc
    .string({ unit: codePoint.filter((character) => !/\p{Cc}/u.test(character)), maxLength: 60 })
    .map((text) => Buffer.from(text).toString("latin1")),
);
