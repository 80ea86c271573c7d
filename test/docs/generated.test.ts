import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { insertCommands } from "../../scripts/command-table.ts";
import { insertConfiguration } from "../../scripts/configuration-tables.ts";

describe("The pages of configuration and commands", () => {
  for (const [page, insert] of [
    ["docs/configuration.md", insertConfiguration],
    ["docs/cli.md", insertCommands],
  ] as const) {
    it(`have in ${page} the output of \`npm run generate\``, async () => {
      const text = await readFile(page, "utf8");
      expect(text).to.equal(insert(text));
    });
  }
});
