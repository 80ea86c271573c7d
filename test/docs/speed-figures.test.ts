import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";

/** Such as "787 creates a second", or a row of a table. */
const speed = /[\d,]{3,} (?:requests|lists|single products|creates|deliveries)? ?a second/g;

describe("The figures of speed", () => {
  it("stand in the README alone, and other pages lead there", async () => {
    for await (const page of glob("docs/*.md")) {
      expect((await readFile(page, "utf8")).match(speed), page).to.equal(null);
    }
    for (const page of ["docs/operations.md", "docs/scaling.md"]) {
      expect(await readFile(page, "utf8")).to.include("](../README.md#speed)");
    }
    expect(await readFile("README.md", "utf8")).to.match(/^## Speed$/m);
  });
});
