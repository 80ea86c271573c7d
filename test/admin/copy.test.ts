import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";

/** Attributes that hold a text. */
const ATTRIBUTE =
  /\b(?:title|label|hint|description|caption|placeholder|noun|none|alt|aria-label|successMessage|dismissal)="[^"]*[a-z][^"]*"/g;
/** Text between tags, on the same line or on a line of its own. `code` elements are exempt. */
const JSX_TEXT = />\s*[A-Z][^<>{}()=;]*<\/(?!code>)|^\s+[A-Z][a-z]*(?:[ .…?!][^<>{}()=;]*)?$/gm;

const findTexts = (source: string) =>
  [...source.matchAll(ATTRIBUTE), ...source.matchAll(JSX_TEXT)].map(([text]) => text.trim());

describe("Admin's texts", () => {
  it("are all in copy files", async () => {
    for await (const file of glob("admin/**/*.tsx")) {
      expect(findTexts(await readFile(file, "utf8")), file).to.deep.equal([]);
    }
  });

  it("are detected in components", () => {
    expect(findTexts('<TextField name="email" label="Email" />')).to.have.length(1);
    expect(findTexts("<Button>Save</Button>")).to.have.length(1);
    expect(findTexts("<p>\n  No notes yet.\n</p>")).to.have.length(1);
    expect(findTexts('<Section title={copy.title} id="list">\n  {copy.text}\n</Section>')).to.deep.equal([]);
  });
});
