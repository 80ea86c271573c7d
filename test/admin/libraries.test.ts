import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";

/** The packages that a module imports, except those imported only for types. */
const IMPORTED = /(?:^import(?! type )|^export [*{]|\bimport\()[^;"]*"((?:@[\w-]+\/)?[\w-][\w.-]*)/gm;

describe("Libraries of the pages", () => {
  it("are production dependencies, so that the audit and the bill of materials include them", async () => {
    const { dependencies } = JSON.parse(await readFile("package.json", "utf8"));
    const names = new Set<string>();
    for await (const file of glob("admin/**/*.{ts,tsx}", { exclude: ["admin/vite.config.ts"] })) {
      for (const [, name] of (await readFile(file, "utf8")).matchAll(IMPORTED)) names.add(name!);
    }
    expect(names).to.include("react-dom");
    expect(dependencies).to.include.all.keys(...names);
  });
});
