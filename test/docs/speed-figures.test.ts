import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";

/** Such as "787 creates a second", or a row of a table. */
const speed = /[\d,]{3,} (?:requests|lists|single products|creates|deliveries)? ?a second/g;

describe("The figures of speed", () => {
  it("are in docs/scaling.md only, and other pages link to it", async () => {
    for await (const page of glob("{README.md,docs/*.md}")) {
      expect((await readFile(page, "utf8")).match(speed), page).to.equal(null);
    }
    expect(await readFile("docs/operations.md", "utf8")).to.include("](scaling.md#speed)");
    expect(await readFile("docs/scaling.md", "utf8")).to.match(/^## Speed$/m);
  });
});
