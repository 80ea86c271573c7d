export interface BarChart {
  title: string;
  unit: string;
  /** The names of the bars in each row. */
  series: string[];
  rows: { label: string; values: (number | undefined)[] }[];
  format: (value: number) => string;
}

const WIDTH = 820;
const LABELS = 300;
/** The width of the longest bar, which leaves space for its value. */
const LONGEST = 430;
const BAR = 13;
const GAP = 9;
const TOP = 62;
const MARGIN = 16;

// The colors have a contrast of at least 3 to the background, and differ in brightness.
const style = `
  svg { color-scheme: light dark; font: 12px system-ui, sans-serif; }
  .page { fill: #ffffff; } text { fill: #1f2328; } .title { font-weight: 600; font-size: 14px; }
  .bar-0 { fill: #0550ae; } .bar-1 { fill: #bf5600; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; } text { fill: #e6edf3; }
    .bar-0 { fill: #58a6ff; } .bar-1 { fill: #f0883e; }
  }`;

/** Draws horizontal bars as SVG, readable in light and dark. */
export function drawBars({ title, unit, series, rows, format }: BarChart): string {
  const largest = Math.max(...rows.flatMap(({ values }) => values.filter((value) => value !== undefined)));
  const rowHeight = series.length * BAR + GAP;
  const height = TOP + rows.length * rowHeight + MARGIN;
  const bars = rows.flatMap(({ label, values }, row) => {
    const y = TOP + row * rowHeight;
    return [
      text(LABELS - 10, y + (series.length * BAR) / 2 + 4, label, 'text-anchor="end"'),
      ...values.map((value, place) => drawBar(value, place, y + place * BAR)),
    ];
  });
  function drawBar(value: number | undefined, place: number, y: number): string {
    if (value === undefined) return text(LABELS, y + BAR - 3, "–");
    const length = Math.max(1, (value / largest) * LONGEST);
    return rectangle(LABELS, y, length, `bar-${place}`) + text(LABELS + length + 6, y + BAR - 3, format(value));
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    `<style>${style}\n</style>`,
    `<rect class="page" width="100%" height="100%"/>`,
    text(MARGIN, 24, `${title}, ${unit}`, 'class="title"'),
    ...series.map((name, place) => {
      const x = MARGIN + place * 150;
      return rectangle(x, 38, BAR, `bar-${place}`) + text(x + BAR + 6, 48, name);
    }),
    ...bars,
    "</svg>\n",
  ].join("\n");
}

function rectangle(x: number, y: number, width: number, name: string): string {
  return `<rect class="${name}" x="${x}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 2}" rx="2"/>`;
}

function text(x: number, y: number, content: string, attributes = ""): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${attributes && ` ${attributes}`}>${escape(content)}</text>`;
}

/** Titles are Markdown with code. */
function escape(content: string): string {
  return content.replaceAll("`", "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
