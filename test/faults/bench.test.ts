import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Report } from "../../bench/report.ts";
import { drawCharts, insertPerformance, readReports } from "../../scripts/performance.ts";
import { makeDirectory } from "../support/directory.ts";
import { eventually } from "../support/eventually.ts";
import { isAlive } from "../support/programs/is-alive.ts";

describe("A benchmark that is stopped", function suite() {
  this.timeout(120_000);

  it("stops its PostgreSQL before its work is done", async () => {
    const TMPDIR = await makeDirectory();
    const main = join(process.env.TEST_PROGRAM!, "../../bench/main.js");
    const child = spawn(process.execPath, [main], {
      env: { ...process.env, TMPDIR },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await eventually(
      () => output,
      (text) => text.includes("Filling"),
      60_000,
    );
    let pid = NaN;
    for await (const file of glob(join(TMPDIR, "*/postgres/postmaster.pid"))) {
      pid = Number((await readFile(file, "utf8")).split("\n")[0]);
    }
    expect(isAlive(pid)).to.equal(true);
    child.kill("SIGTERM");
    await once(child, "exit");
    await eventually(
      () => isAlive(pid),
      (alive) => !alive,
    );
  });
});

describe("The benchmark of routes", function suite() {
  this.timeout(300_000);
  let report: Report;

  // A second gives no figures, but shows that everything runs.
  before(async () => {
    const main = join(process.env.TEST_PROGRAM!, "../../bench/main.js");
    const json = join(await makeDirectory(), "report.json");
    const short = ["--rounds", "1", "--seconds", "1", "--minutes", "0.01", "--json", json];
    const options = [...short, "--database-url", process.env.TEST_DATABASE_URL!];
    await promisify(execFile)(process.execPath, ["--enable-source-maps", main, ...options]);
    report = JSON.parse(await readFile(json, "utf8"));
  });

  it("reports each route of both servers, each route of ours, memory and allocations", () => {
    const { tool, products, measurements } = report;
    expect({ tool, products }).to.deep.equal({ tool: "bench", products: 10_000 });
    const groups = Map.groupBy(measurements, ({ name }) => name.split("/")[0]!);
    const counts = Object.fromEntries([...groups].map(([group, { length }]) => [group, length]));
    expect(counts).to.deep.equal({ yardstick: 4, route: 14, memory: 1, heap: 1 });
    expect(measurements.filter(({ failure }) => failure !== undefined)).to.deep.equal([]);
    for (const { name, sides } of measurements.filter((each) => each.name !== "heap")) {
      expect(Object.keys(sides), name).to.deep.equal(name.startsWith("yardstick/") ? ["baseline", "ours"] : ["ours"]);
      for (const spreads of Object.values(sides)) {
        expect(spreads, name).to.include.keys("perSecond", "p50", "p99");
        expect(Object.values(spreads).flat().every(Number.isFinite), name).to.equal(true);
      }
    }
  });

  it("is drawn and listed in docs/performance.md", async () => {
    const reports = { ...readReports(), small: report, million: report };
    const page = insertPerformance(await readFile("docs/performance.md", "utf8"), reports);
    expect(page).to.match(/^\|Create, with event, delivery and job\|(?:[\d.,]+\|){8}$/m);
    const charts = drawCharts(reports);
    for (const [name, svg] of Object.entries(charts)) {
      expect(svg, name)
        .to.include("prefers-color-scheme: dark")
        .and.not.match(/NaN|undefined|Infinity/);
    }
    expect(charts["performance-yardsticks"]!.match(/<rect class="bar-/g)).to.have.length(2 + 4 * 2);
  });
});
