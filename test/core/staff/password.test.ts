import { stat } from "node:fs/promises";
import { expect } from "chai";
import { hashPassword, verifyPassword } from "../../../src/core/staff/accounts/password.ts";

describe("Password hashes", () => {
  it("name argon2id and OWASP's parameters, and are salted", async () => {
    const [hash, other] = [await hashPassword("correct horse battery"), await hashPassword("correct horse battery")];
    expect(hash).not.to.equal(other);
    expect(hash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  it("do not depend on the composition of accents", async () => {
    expect(await verifyPassword("cafe\u0301", await hashPassword("caf\u00e9"))).to.equal(true);
  });

  it("with other parameters verify too, so that the parameters can be raised", async () => {
    // Made by the reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 8 -p 1 -e
    const reference = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
    expect(await verifyPassword("password", reference)).to.equal(true);
    expect(await verifyPassword("passwort", reference)).to.equal(false);
  });

  it("leave threads to other work, however many are computed at once", async () => {
    let done = 0;
    const hashes = Array.from({ length: 8 }, async () => {
      await hashPassword("correct horse battery");
      done += 1;
    });
    // Files share the pool: without a bound, this would wait behind at least four of the eight.
    await stat(".");
    expect(done).to.be.lessThan(3);
    await Promise.all(hashes);
  });

  it("of another kind or cost match no password, at once", async () => {
    const hash = await hashPassword("plain");
    const strange = ["", "plain", "$2b$10$abcdefghijklmnopqrstuv", "$argon2i$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA"];
    const costly = [hash.replace("m=19456", "m=3000000"), hash.replace("t=2", "t=50"), hash.replace("p=1", "p=4")];
    const odd = [hash.replace("m=19456", "m=7"), hash.replace(/[^$]+$/, "aGFzaA"), `${hash}${"A".repeat(1_000)}`];
    for (const other of [...strange, ...costly, ...odd]) {
      expect(await verifyPassword("plain", other), other).to.equal(false);
    }
  });
});
