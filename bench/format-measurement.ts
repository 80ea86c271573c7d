import type { Result, Spread } from "./report.ts";

/** Formats a result for the terminal: the medians of each side, and the ratios of the last side to the others. */
export function formatMeasurement({ title, sides, ratios, failure }: Result): string {
  if (failure !== undefined) return `${title}\n  failed: ${failure}\n`;
  const last = Object.keys(sides).at(-1)!;
  const figures = [...new Set(Object.values(sides).flatMap((spreads) => Object.keys(spreads)))];
  const row = (side: string, cell: (figure: string) => string) => ({
    side,
    ...Object.fromEntries(figures.map((figure) => [figure, cell(figure)])),
  });
  return `${title}\n${formatTable([
    ...Object.entries(sides).map(([side, spreads]) => row(side, (figure) => formatNumber(spreads[figure]?.[0]))),
    ...Object.entries(ratios).map(([side, spreads]) =>
      row(`${last} ÷ ${side}`, (figure) => formatRatio(spreads[figure])),
    ),
  ])}\n`;
}

function formatRatio(spread: Spread | undefined): string {
  if (spread === undefined) return "";
  const [median, minimum, maximum] = spread.map((ratio) => ratio.toFixed(2));
  return `${median} (${minimum}–${maximum})`;
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
