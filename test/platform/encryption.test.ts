import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { createEncryption } from "../../src/platform/encryption.ts";

describe("Encryption at rest", () => {
  const first = { name: "first", key: randomBytes(32) };
  const second = { name: "second", key: randomBytes(32) };
  const encryption = createEncryption([first]);

  it("decrypts what it encrypted", () => {
    for (const secret of ["", "whsec_abc+/=", "急須 🍵", "a".repeat(10_000)]) {
      expect(encryption.open(encryption.seal(secret, "row/1"), "row/1")).to.equal(secret);
    }
  });

  it("hides the secret, with different output each time", () => {
    const sealed = Array.from({ length: 20 }, () => encryption.seal("the secret", "row/1"));
    expect(new Set(sealed)).to.have.property("size", 20);
    for (const text of sealed) {
      expect(text).not.to.include("secret");
      expect(text).not.to.include(Buffer.from("the secret").toString("base64url"));
    }
  });

  it("binds the secret to its row", () => {
    const sealed = encryption.seal("secret", "row/1");
    for (const row of ["row/2", "row/1 ", "ROW/1", ""]) expect(() => encryption.open(sealed, row), row).to.throw();
  });

  it("detects any change", () => {
    const sealed = encryption.seal("secret", "row/1");
    const parts = sealed.split(".");
    expect(parts).to.have.length(4);
    for (const [index, part] of parts.entries()) {
      for (const changed of [flip(part), part.slice(0, -4), ""]) {
        const text = parts.with(index, changed).join(".");
        expect(() => encryption.open(text, "row/1"), `part ${index}`).to.throw();
      }
    }
    for (const text of ["", "nonsense", parts.slice(0, 3).join(".")]) {
      expect(() => encryption.open(text, "row/1"), text).to.throw();
    }
  });

  it("encrypts with the first key and decrypts with any", () => {
    const old = encryption.seal("secret", "row/1");
    const rotated = createEncryption([second, first]);
    expect(rotated.open(old, "row/1")).to.equal("secret");
    const renewed = rotated.seal("secret", "row/1");
    expect(createEncryption([second]).open(renewed, "row/1")).to.equal("secret");
    expect(() => encryption.open(renewed, "row/1")).to.throw('No encryption key named "second" is configured');
  });

  it("does not decrypt with another key of the same name", () => {
    const sealed = encryption.seal("secret", "row/1");
    const impostor = createEncryption([{ name: "first", key: second.key }]);
    expect(() => impostor.open(sealed, "row/1")).to.throw();
  });

  it("binds the secret to the name of its key", () => {
    const same = createEncryption([first, { name: "alias", key: first.key }]);
    const sealed = same.seal("secret", "row/1");
    expect(() => same.open(sealed.replace(/^first\./, "alias."), "row/1")).to.throw();
  });

  it("does not encrypt without a key", () => {
    expect(() => createEncryption([]).seal("secret", "row/1")).to.throw("No encryption key is configured");
  });
});

/** The text with its first character replaced. */
function flip(text: string): string {
  return (text.startsWith("A") ? "B" : "A") + text.slice(1);
}
