import type { Turn } from "./measure.ts";
import type { MeasurementName } from "./settings.ts";

/** The turns of both servers. Turns of the same round have the same index. */
export interface Rounds {
  baseline: Turn[];
  ours: Turn[];
}

/** One line of the table. */
export function describeRounds(name: MeasurementName, { baseline, ours }: Rounds): Record<string, string> {
  const perSecond = { baseline: baseline.map((turn) => turn.perSecond), ours: ours.map((turn) => turn.perSecond) };
  return {
    measurement: name,
    ...describeRatio(perSecond, { baseline: "baseline req/s", ours: "ours req/s", digits: 0 }),
    "baseline p50/p99 ms": describeLatencies(baseline),
    "ours p50/p99 ms": describeLatencies(ours),
  };
}

/** The medians of both sides, and the median and range of the ratios of rounds. */
export function describeRatio(
  { baseline, ours }: { baseline: number[]; ours: number[] },
  names: { baseline: string; ours: string; digits: number },
): Record<string, string> {
  const ratios = ours.map((result, round) => result / baseline[round]!);
  return {
    [names.baseline]: median(baseline).toFixed(names.digits),
    [names.ours]: median(ours).toFixed(names.digits),
    ratio: median(ratios).toFixed(2),
    "ratio min–max": `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
  };
}

function describeLatencies(turns: Turn[]): string {
  return `${median(turns.map((turn) => turn.p50)).toFixed(1)} / ${median(turns.map((turn) => turn.p99)).toFixed(1)}`;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Formats the rows as a Markdown table. */
export function formatTable(rows: Record<string, string>[]): string {
  const names = Object.keys(rows[0]!);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [
    line(names),
    line(widths.map((width) => "-".repeat(width))),
    ...rows.map((row) => line(names.map((name) => row[name]!))),
  ].join("\n");
}
