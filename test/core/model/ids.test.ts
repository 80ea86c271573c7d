import { expect } from "chai";
import { firstIdOf, isId, newId } from "../../../src/core/model/ids.ts";

describe("Identifiers", () => {
  it("are TypeIDs: a prefix and a UUIDv7 in base32", () => {
    const before = Date.now();
    for (const prefix of ["prod", "shop", "evt"] as const) {
      expect(newId(prefix)).to.match(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
    }
    const [, suffix] = newId("prod").split("_");
    const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
    const value = [...suffix!].reduce((sum, character) => sum * 32n + BigInt(alphabet.indexOf(character)), 0n);
    const uuid = value.toString(16).padStart(32, "0");
    expect(uuid[12]).to.equal("7");
    expect(Number.parseInt(uuid.slice(0, 12), 16)).to.be.within(before, Date.now());
  });

  it("sort between the first of their moment and the first of the next", () => {
    const before = firstIdOf("evt", new Date());
    const id = newId("evt");
    expect(before < id && id < firstIdOf("evt", new Date(Date.now() + 1))).to.equal(true);
    expect(isId(before)).to.equal(true);
  });
});
