import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { insertCommands } from "../../scripts/command-table.ts";
import { insertConfiguration } from "../../scripts/configuration-tables.ts";
import { insertDiagram } from "../../scripts/table-diagram.ts";
import { insertCatalog } from "../../scripts/webhook-catalog.ts";
import { drawCharts, insertPerformance } from "../../scripts/performance.ts";

describe("The generated pages", () => {
  for (const [page, insert] of [
    ["docs/configuration.md", insertConfiguration],
    ["docs/cli.md", insertCommands],
    ["docs/performance.md", insertPerformance],
    ["docs/decisions/model.md", insertDiagram],
    ["docs/webhooks.md", insertCatalog],
  ] as const) {
    it(`have in ${page} the output of \`npm run generate\``, async () => {
      const text = await readFile(page, "utf8");
      expect(text).to.equal(insert(text));
    });
  }

  it("have the charts of the same figures", async () => {
    for (const [name, chart] of Object.entries(drawCharts())) {
      expect(await readFile(`docs/images/${name}.svg`, "utf8"), name).to.equal(chart);
    }
  });
});
