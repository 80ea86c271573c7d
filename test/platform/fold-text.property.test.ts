import { expect } from "chai";
import fc from "fast-check";
import { foldCase, foldText } from "../../src/platform/fold-text.ts";
import { codePoint } from "../support/properties/arbitraries.ts";
import { timesFactor } from "../support/properties/holds.ts";

/** Every character but surrogates. */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const cased = characters.filter((character) => /\p{Changes_When_Casemapped}/u.test(character));

const text = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...cased, "\u0307", "\u0345", "\u0301", "\u0323"), maxLength: 20 }),
);

describe("Case folding", () => {
  it("agrees with case-insensitive regular expressions", () => {
    const all = cased.join("");
    for (const character of cased) {
      for (const [other] of all.matchAll(new RegExp(character, "giu"))) {
        expect(foldCase(other), `${character} ${other}`).to.equal(foldCase(character));
      }
    }
  });

  it("ignores case and composition, and is idempotent", () => {
    const property = fc.property(text, (value) => {
      const folded = foldCase(value);
      // Unicode changes the case of decomposed text: the capital of a composed ᾳ would part it from the marks that follow.
      const decomposed = value.normalize("NFD");
      for (const other of [decomposed.toUpperCase(), decomposed.toLowerCase(), value.normalize("NFC"), decomposed]) {
        expect(foldCase(other)).to.equal(folded);
      }
      expect(foldCase(folded)).to.equal(folded);
    });
    fc.assert(property, { numRuns: timesFactor(1_000) });
  });
});

describe("Search folding", () => {
  it("includes case folding, and is idempotent", () => {
    // Except the two that fold to text with an apostrophe.
    const rest = characters.filter((character) => !"´ŉ".includes(character));
    for (let start = 0; start < rest.length; start += 1_000) {
      const lines = rest.slice(start, start + 1_000).join("\n");
      const folded = foldText(lines);
      expect(foldText(foldCase(lines))).to.equal(folded);
      expect(foldText(folded)).to.equal(folded);
    }
  });
});
