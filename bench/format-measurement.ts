import { medianOf, median, ratiosOf, type Measurement } from "./report.ts";

/** Formats a measurement for the terminal: the medians of each side, and the ratios of the last side to the others. */
export function formatMeasurement({ title, sides, failure }: Measurement): string {
  if (failure !== undefined) return `${title}\n  failed: ${failure}\n`;
  const names = Object.keys(sides);
  const last = names.at(-1)!;
  const figures = Object.keys(sides[last]![0] ?? {});
  const rows = names.map((name) => ({
    side: name,
    ...Object.fromEntries(figures.map((figure) => [figure, formatNumber(medianOf(sides[name], figure))])),
  }));
  const ratios = names.slice(0, -1).map((name) => ({
    side: `${last} ÷ ${name}`,
    ...Object.fromEntries(figures.map((figure) => [figure, formatRatio(ratiosOf(sides[last]!, sides[name]!, figure))])),
  }));
  return `${title}\n${formatTable([...rows, ...ratios])}\n`;
}

function formatRatio(ratios: number[]): string {
  if (ratios.length === 0) return "";
  return `${median(ratios).toFixed(2)} (${ratios[0]!.toFixed(2)}–${ratios.at(-1)!.toFixed(2)})`;
}

/** Three digits, as fewer than three would hide differences and more are noise. */
export function formatNumber(value: number | undefined): string {
  if (value === undefined) return "";
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

/** Formats the rows as a Markdown table. */
function formatTable(rows: Record<string, string>[]): string {
  const names = Object.keys(rows[0]!);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [
    line(names),
    line(widths.map((width) => "-".repeat(width))),
    ...rows.map((row) => line(names.map((name) => row[name]!))),
  ].join("\n");
}
