import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Report } from "../../bench/report.ts";
import { drawCharts, insertPerformance, readReports } from "../../scripts/performance.ts";
import { makeDirectory } from "../support/directory.ts";

describe("The benchmark of routes and lists", function suite() {
  this.timeout(300_000);
  let report: Report;

  // A few tenths of a second give no figures, but show that everything runs.
  before(async () => {
    const main = join(process.env.TEST_PROGRAM!, "../../bench/main.js");
    const json = join(await makeDirectory(), "report.json");
    const short = ["--rounds", "1", "--seconds", "0.3", "--minutes", "0.01", "--json", json];
    const options = [...short, "--database-url", process.env.TEST_DATABASE_URL!];
    await promisify(execFile)(process.execPath, ["--enable-source-maps", main, ...options]);
    report = JSON.parse(await readFile(json, "utf8"));
  });

  it("reports each route of all servers, each route and list of ours, and memory", () => {
    const { tool, products, measurements } = report;
    expect({ tool, products }).to.deep.equal({ tool: "bench", products: 10_000 });
    const groups = Map.groupBy(measurements, ({ name }) => name.split("/")[0]!);
    const counts = Object.fromEntries([...groups].map(([group, { length }]) => [group, length]));
    expect(counts).to.include({ yardstick: 4, route: 14, memory: 1 });
    expect(counts.admin).to.be.above(40);
    expect(measurements.filter(({ failure }) => failure !== undefined)).to.deep.equal([]);
    for (const { name, sides } of measurements) {
      const expected = name.startsWith("yardstick/") ? ["baseline", "limit", "ours"] : ["ours"];
      expect(Object.keys(sides), name).to.include.members(expected);
      for (const [turn] of Object.values(sides)) {
        expect(turn, name).to.include.keys("perSecond", "p50", "p99");
        expect(Object.values(turn!).every(Number.isFinite), name).to.equal(true);
      }
    }
  });

  it("is drawn and listed in docs/performance.md", async () => {
    const reports = { ...readReports(), small: report, million: report };
    const page = insertPerformance(await readFile("docs/performance.md", "utf8"), reports);
    expect(page).to.match(/^\|Create, with event, delivery and job\|(?:[\d.,]+\|){6}$/m);
    const charts = drawCharts(reports);
    for (const [name, svg] of Object.entries(charts)) {
      expect(svg, name)
        .to.include("prefers-color-scheme: dark")
        .and.not.match(/NaN|undefined|Infinity/);
    }
    expect(charts["performance-yardsticks"]!.match(/<rect class="bar-/g)).to.have.length(3 + 4 * 3);
  });
});
