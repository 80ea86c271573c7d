import { expect } from "chai";
import { generateApiKeySecret, inspectApiKeySecret } from "../../../src/core/credentials/secret.ts";

describe("Secrets of API keys", () => {
  it("have the prefix and 33 letters and digits, evenly distributed", () => {
    const secrets = Array.from({ length: 500 }, generateApiKeySecret);
    const counts = new Map<string, number>();
    for (const secret of secrets) {
      expect(secret).to.match(/^sk_live_[0-9A-Za-z]{33}$/);
      for (const character of secret.slice(8, 35)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(new Set(secrets)).to.have.property("size", 500);
    expect(counts).to.have.property("size", 62);
    // 13,500 characters of 62: 218 each, with a standard deviation of 15.
    for (const [character, count] of counts) expect(count, character).to.be.within(100, 340);
  });

  it("are recognized as mistyped with any character changed, swapped, missing or added", () => {
    const secret = generateApiKeySecret();
    for (let index = 8; index < secret.length; index += 1) {
      const [start, character, next, end] = [
        secret.slice(0, index),
        secret[index]!,
        secret[index + 1] ?? "",
        secret.slice(index + 2),
      ];
      const other = character === "a" ? "b" : "a";
      const slips = [start + other + next + end, start + next + end, start + character + character + next + end];
      if (next !== "" && next !== character) slips.push(start + next + character + end);
      for (const slip of slips) expect(inspectApiKeySecret(slip), String(index)).to.equal("mistyped");
    }
  });
});
