import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";

const pages = ["*.md", "docs/**/*.md", "schema.graphql"];
const sources = ["{src,admin,migrations,scripts,lint,bench}/**/*.{ts,tsx,css}"];
const tests = ["test/**/*.ts", "deploy/**/*.{json,service,yaml,yml}"];

/** British spellings. *Cancelled* stays, because enums have it. */
const british =
  /\w*(?:analyse|behaviour|catalogue|centre|colour|defence|(?:enrol|fulfil)(?!l)|favour|\bgrey|honour|initialis|labelled(?!by)|licence|litre|neighbour|normalis|organis|recognis|serialis|(?:after|back|to|up)wards)\w*/gi;

/** Words for which there is a plainer one, such as "until then" or "separate". */
const awkward = /\b(?:lest|meanwhile|of (?:its|their) own|that there (?:is|are)|what became of|whoever)\b/gi;

async function find(words: RegExp, files: string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(files)) {
    if (import.meta.filename.endsWith(file)) continue;
    for (const [word] of (await readFile(file, "utf8")).matchAll(words)) found.push(`${file}: ${word}`);
  }
  return found;
}

describe("Words", () => {
  it("have American spelling", async () => {
    expect(await find(british, [...pages, ...sources, ...tests])).to.deep.equal([]);
  });

  it("are plain in pages and code", async () => {
    expect(await find(awkward, [...pages, ...sources])).to.deep.equal([]);
  });
});
