import { readFileSync } from "node:fs";
import { formatNumber } from "../bench/format-measurement.ts";
import type { Report, Result, Spreads } from "../bench/report.ts";
import { drawBars } from "./bar-chart.ts";
import { replaceGenerated } from "./generated-part.ts";

const read = (name: string): Report =>
  JSON.parse(readFileSync(new URL(`../bench/results/${name}.json`, import.meta.url), "utf8"));

/** The committed results of each benchmark. */
export function readReports() {
  return { small: read("small"), million: read("million"), webhooks: read("webhooks"), fairness: read("fairness") };
}

export type Reports = ReturnType<typeof readReports>;

/** Returns docs/performance.md with its tables. */
export function insertPerformance(page: string, reports: Reports = readReports()): string {
  const { processor, cores, node, postgres } = reports.million.machine;
  const parts = [
    `Measured on ${cores} cores (${processor}), Node ${node}, PostgreSQL ${postgres}.`,
    yardsticks(reports),
    `Beside a million products, total CPU ÷ baseline is ${groupOf(reports.million, "yardstick").map(cpuRatio).join(", ")}, in this order.`,
    "![Requests a second, as multiples of the baseline](images/performance-yardsticks.svg)",
    routes(reports),
    "![The time of each route, except the last page](images/performance-routes.svg)",
    "![CPU of each route, except the last page](images/performance-cpu.svg)",
    memory(reports),
    others(reports),
  ];
  return replaceGenerated(page, `${parts.join("\n\n")}\n`);
}

/** The charts, by their names in docs/images/. */
export function drawCharts({ small, million }: Reports = readReports()): Record<string, string> {
  const sizes = ["10,000 products", "1,000,000"];
  // The bar of the last page would be fifteen times as long as the others.
  const charted = groupOf(million, "route").filter(({ name }) => name !== "route/last-page");
  return {
    "performance-yardsticks": drawBars({
      title: "Requests a second beside a million products",
      unit: "baseline = 1",
      series: ["baseline", "ours"],
      rows: groupOf(million, "yardstick").map((one) => ({ label: one.title, values: [1, ratio(one)] })),
      format: (value) => value.toFixed(2),
    }),
    "performance-routes": drawBars({
      title: "Routes at one connection",
      unit: "p50, ms",
      series: sizes,
      rows: charted.map(({ name, title }) => ({
        label: title,
        values: [find(small, name), find(million, name)].map((one) => ours(one, "p50")),
      })),
      format: formatNumber,
    }),
    "performance-cpu": drawBars({
      title: "CPU of a request in a shop of a million products",
      unit: "ms",
      series: ["server", "PostgreSQL"],
      rows: charted.map((one) => ({
        label: one.title,
        values: [ours(one, "serverCpu"), ours(one, "databaseCpu")],
      })),
      format: formatNumber,
    }),
  };
}

function groupOf({ measurements }: Report, group: string): Result[] {
  return measurements.filter(({ name }) => name.startsWith(`${group}/`));
}

function find({ measurements }: Report, name: string): Result | undefined {
  return measurements.find((one) => one.name === name);
}

function ours(measurement: Result | undefined, figure: string): number | undefined {
  return measurement?.sides.ours?.[figure]?.[0];
}

/** Our requests a second, as a multiple of the baseline's. */
function ratio(measurement: Result | undefined): number {
  return measurement!.ratios.baseline!.perSecond![0];
}

/** The CPU of a request, in milliseconds: of the server, of PostgreSQL, and of both. */
function cpu({ sides }: Result, server = "ours"): [number, number, number] {
  const { serverCpu, databaseCpu } = sides[server]!;
  return [serverCpu![0], databaseCpu![0], serverCpu![0] + databaseCpu![0]];
}

/** Our total CPU of a request, as a multiple of the baseline's. */
function cpuRatio(one: Result): string {
  return (cpu(one)[2] / cpu(one, "baseline")[2]).toFixed(2);
}

/** The kilobytes that a request allocates. Undefined for a walk, which is not measured. */
function kilobytes(report: Report, { name }: Result, server = "ours"): number | undefined {
  return find(report, "heap")!.sides[name]?.[server]?.[0];
}

function yardsticks({ small, million }: Reports): string {
  const rates = (one: Result) => [formatNumber(ours(one, "perSecond")), ratio(one).toFixed(2)];
  return table(
    ["ten connections", ...["requests/s", "beside a million", "CPU, ms", "kB"].flatMap((name) => [name, "÷ baseline"])],
    groupOf(small, "yardstick").map((one) => [
      one.title,
      ...[one, find(million, one.name)!].flatMap(rates),
      formatNumber(cpu(one)[2]),
      cpuRatio(one),
      formatNumber(kilobytes(small, one)),
      (kilobytes(small, one)! / kilobytes(small, one, "baseline")!).toFixed(2),
    ]),
  );
}

function routes({ small, million }: Reports): string {
  const [reference] = groupOf(million, "route");
  const first = ours(reference, "p50")!;
  const times = (one: Result) => ["p50", "p99"].map((figure) => formatNumber(ours(one, figure)));
  return table(
    ["one connection, ms", "1,000,000: p50", "p99", "÷ first page", "10,000: p50", "p99", "CPU", "of PostgreSQL", "kB"],
    groupOf(million, "route").map((one) => {
      const inSmall = find(small, one.name)!;
      return [
        one.title,
        ...times(one),
        one.failure === undefined ? formatNumber(ours(one, "p50")! / first) : "fails",
        ...times(inSmall),
        ...[cpu(inSmall)[2], cpu(inSmall)[1], kilobytes(small, one)].map(formatNumber),
      ];
    }),
  );
}

function memory({ small, million }: Reports): string {
  const [few, many] = [small, million].map((report) =>
    find(report, "memory")!.sides.ours!.megabytes!.map(formatNumber),
  );
  return `Resident memory of the server after each minute of mixed load: at most ${few![2]} MB with 10,000 products, ${many![2]} MB with a million.`;
}

/** Each measurement of webhooks and fairness by one figure: the rate, or else the p99. */
function others({ webhooks, fairness }: Reports): string {
  const rows = [webhooks, fairness].flatMap(({ measurements }) =>
    measurements.map(({ title, sides, ratios }) => {
      const [[reference, before], [name, after]] = Object.entries(sides) as [[string, Spreads], [string, Spreads]];
      const [figure, unit] = "perSecond" in after ? ["perSecond", "/s"] : ["p99", "ms"];
      return [
        title,
        `${reference}: ${formatNumber(before[figure]![0])} ${unit}`,
        `${name}: ${formatNumber(after[figure]![0])} ${unit}`,
        ratios[reference]![figure]![0].toFixed(2),
      ];
    }),
  );
  return table(["rate or p99", "reference", "measured", "ratio"], rows);
}

function table(names: string[], rows: string[][]): string {
  const alignment = names.map((_, column) => (column === 0 ? "---" : "--:"));
  return [names, alignment, ...rows].map((cells) => `|${cells.join("|")}|`).join("\n");
}
