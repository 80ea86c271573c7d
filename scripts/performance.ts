import { readFileSync } from "node:fs";
import { formatNumber } from "../bench/format-measurement.ts";
import { median, medianOf, ratiosOf, type Figures, type Measurement, type Report } from "../bench/report.ts";
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
    "![Requests a second, as multiples of the baseline](images/performance-yardsticks.svg)",
    routes(reports),
    "![The cost of each route](images/performance-routes.svg)",
    "![CPU of each route](images/performance-cpu.svg)",
    "![The lists of Admin](images/performance-admin.svg)",
    memory(reports),
    others(reports),
  ];
  return replaceGenerated(page, `${parts.join("\n\n")}\n`);
}

/** The charts, by their names in docs/images/. */
export function drawCharts({ small, million }: Reports = readReports()): Record<string, string> {
  const sizes = ["10,000 products", "1,000,000"];
  const p50s = (group: string) =>
    groupOf(million, group).map(({ name, title }) => ({
      label: title,
      values: [find(small, name), find(million, name)].map((one) => ours(one, "p50")),
    }));
  return {
    "performance-yardsticks": drawBars({
      title: "Requests a second beside a million products",
      unit: "baseline = 1",
      series: ["baseline", "ours", "limit"],
      rows: groupOf(million, "yardstick").map(({ title, sides: { baseline, ours: own, limit } }) => ({
        label: title,
        values: [baseline, own, limit].map((turns) => median(ratiosOf(turns!, baseline!, "perSecond"))),
      })),
      format: (value) => value.toFixed(2),
    }),
    "performance-routes": drawBars({
      title: "Routes at one connection",
      unit: "p50, ms",
      series: sizes,
      rows: p50s("route"),
      format: formatNumber,
    }),
    "performance-cpu": drawBars({
      title: "CPU of a request in a shop of a million products",
      unit: "ms",
      series: ["server", "PostgreSQL"],
      rows: groupOf(million, "route").map((one) => ({
        label: one.title,
        values: [ours(one, "serverCpu"), ours(one, "databaseCpu")],
      })),
      format: formatNumber,
    }),
    "performance-admin": drawBars({
      title: "Lists of Admin at one connection",
      unit: "p50, ms",
      series: sizes,
      rows: p50s("admin"),
      format: formatNumber,
    }),
  };
}

function groupOf({ measurements }: Report, group: string): Measurement[] {
  return measurements.filter(({ name }) => name.startsWith(`${group}/`));
}

function find({ measurements }: Report, name: string): Measurement | undefined {
  return measurements.find((one) => one.name === name);
}

function ours(measurement: Measurement | undefined, figure: string): number | undefined {
  return medianOf(measurement?.sides.ours, figure);
}

function yardsticks({ small, million }: Reports): string {
  const cells = (measurement: Measurement | undefined) => {
    const { baseline, limit, ours: own } = measurement!.sides;
    const ratios = [baseline, limit].map((other) => median(ratiosOf(own!, other!, "perSecond")).toFixed(2));
    return [formatNumber(ours(measurement, "perSecond")), ...ratios];
  };
  return table(
    ["ten connections", "requests/s", "÷ baseline", "÷ limit", "beside a million", "÷ baseline", "÷ limit"],
    groupOf(million, "yardstick").map(({ name, title }) => [
      title,
      ...cells(find(small, name)),
      ...cells(find(million, name)),
    ]),
  );
}

function routes({ small, million }: Reports): string {
  const [reference] = groupOf(million, "route");
  const first = ours(reference, "p50")!;
  return table(
    ["one connection, ms", "10,000: p50", "1,000,000: p50", "p99", "÷ first page"],
    groupOf(million, "route").map((one) => [
      one.title,
      formatNumber(ours(find(small, one.name), "p50")),
      ...["p50", "p99"].map((figure) => formatNumber(ours(one, figure))),
      one.failure === undefined ? formatNumber(ours(one, "p50")! / first) : "fails",
    ]),
  );
}

function memory({ small, million }: Reports): string {
  const [few, many] = [small, million].map((report) => find(report, "memory")!.sides.ours!);
  const last = (turns: Figures[]) => formatNumber(turns.at(-1)!.megabytes);
  const minutes = many!.map(({ megabytes }) => formatNumber(megabytes)).join(", ");
  return `Resident memory of the server after mixed load: ${last(few!)} MB with 10,000 products. With a million, after each minute: ${minutes} MB.`;
}

type Side = [name: string, turns: Figures[]];

/** Each measurement of webhooks and fairness by one figure: the rate, the p99, or else the first one. */
function others({ webhooks, fairness }: Reports): string {
  const rows = [webhooks, fairness].flatMap(({ measurements }) =>
    measurements.map(({ title, sides }) => {
      const [[reference, before], [name, after]] = Object.entries(sides) as [Side, Side];
      const figures = Object.keys(after[0]!);
      const figure = ["perSecond", "p99"].find((usual) => figures.includes(usual)) ?? figures[0]!;
      const unit = figure === "perSecond" ? "/s" : "ms";
      return [
        title,
        `${reference}: ${formatNumber(medianOf(before, figure))} ${unit}`,
        `${name}: ${formatNumber(medianOf(after, figure))} ${unit}`,
        median(ratiosOf(after, before, figure)).toFixed(2),
      ];
    }),
  );
  return table(["rate, p99 or time", "reference", "measured", "ratio"], rows);
}

function table(names: string[], rows: string[][]): string {
  const alignment = names.map((_, column) => (column === 0 ? "---" : "--:"));
  return [names, alignment, ...rows].map((cells) => `|${cells.join("|")}|`).join("\n");
}
