import { glob, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { expect } from "chai";

const core = join("src", "core");
/** The folder of src/core that a path is in, or the file itself beside the folders. */
const entryOf = (path: string) => relative(core, path).split(sep)[0]!;

describe("The folders of src/core", () => {
  it("have no circular imports", async () => {
    const imports = new Map<string, Set<string>>();
    for await (const path of glob(join(core, "**", "*.ts"))) {
      const imported = imports.get(entryOf(path)) ?? new Set();
      imports.set(entryOf(path), imported);
      for (const [, specifier] of (await readFile(path, "utf8")).matchAll(/(?:from|import\(?)\s*"(\.[^"]+)"/g)) {
        const target = entryOf(join(path, "..", specifier!));
        if (target !== ".." && target !== entryOf(path)) imported.add(target);
      }
    }
    const reach = (entry: string, seen: Set<string>): Set<string> => {
      for (const next of imports.get(entry) ?? []) if (!seen.has(next)) reach(next, seen.add(next));
      return seen;
    };
    expect(imports.get("orders")).to.include("model");
    expect([...imports.keys()].filter((entry) => reach(entry, new Set()).has(entry))).to.deep.equal([]);
  });
});
