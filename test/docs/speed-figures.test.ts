import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";

/** Such as "787 creates a second", or a row of a table. */
const speed = /[\d,]{3,} (?:requests|lists|single products|creates|deliveries)? ?a second/g;

describe("The figures of speed", () => {
  it("are in docs/performance.md only, and other pages link to it", async () => {
    for await (const page of glob("{README.md,docs/*.md}")) {
      expect((await readFile(page, "utf8")).match(speed), page).to.equal(null);
    }
    for (const page of ["operations", "scaling"]) {
      expect(await readFile(`docs/${page}.md`, "utf8")).to.include("](performance.md)");
    }
  });
});
