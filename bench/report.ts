import { writeFile } from "node:fs/promises";

/**
 * The figures of a turn: `perSecond`; `p50`, `p99` and `max` in milliseconds; `serverCpu` and `databaseCpu` in
 * milliseconds per request; `megabytes` of resident memory; kilobytes allocated for a request, by server.
 */
export type Figures = Record<string, number>;

/** The turns of each side. Turns of the same round have the same index. */
export type Sides = Record<string, Figures[]>;

/** A measurement. The last side is compared with each of the others. */
export interface Measurement {
  name: string;
  title: string;
  sides: Sides;
  /** The error, if a request failed. */
  failure?: string;
  /** True if the sides are the rows of a table, and are not compared. */
  isTable?: boolean;
}

/** Of all rounds: the median, the minimum and the maximum. */
export type Spread = [median: number, minimum: number, maximum: number];
export type Spreads = Record<string, Spread>;

/** A measurement's figures by side, and their ratios to each other side, which are taken in each round. */
export interface Result {
  name: string;
  title: string;
  sides: Record<string, Spreads>;
  ratios: Record<string, Spreads>;
  failure?: string;
}

/** The results of a run, as `--json` writes them. */
export interface Report {
  tool: string;
  /** The largest number of products in a shop, where it matters. */
  products?: number;
  rounds: number;
  measuredAt: string;
  machine: { processor: string; cores: number; node: string; postgres: string };
  measurements: Result[];
}

export function summarize({ sides, isTable = false, ...about }: Measurement): Result {
  const others = Object.entries(sides);
  const [, last] = others.pop()!;
  const ratiosTo = (turns: Figures[]) =>
    last.map((figures, round) => mapValues(figures, (value, figure) => value / turns[round]![figure]!));
  return {
    ...about,
    sides: mapValues(sides, spreadsOf),
    ratios: isTable ? {} : Object.fromEntries(others.map(([name, turns]) => [name, spreadsOf(ratiosTo(turns))])),
  };
}

/** Writes a line for each measurement. */
export async function writeReport(file: string, { measurements, ...about }: Report): Promise<void> {
  const lines = measurements.map((result) => `\n  ${JSON.stringify(result)}`).join(",");
  await writeFile(file, `${JSON.stringify(about, null, 1).slice(0, -2)},\n "measurements": [${lines}\n ]\n}\n`);
}

/** Returns the value at a quantile. */
export function quantileOf(values: readonly number[]): (share: number) => number {
  const sorted = values.toSorted((a, b) => a - b);
  return (share) => sorted[Math.floor((sorted.length - 1) * share)]!;
}

function spreadsOf(turns: Figures[]): Spreads {
  return mapValues(turns[0] ?? {}, (_, figure) => spreadOf(turns.map((turn) => turn[figure]!)));
}

function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const median = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
  // More digits are noise.
  return [median, sorted[0]!, sorted.at(-1)!].map((value) => Number(value.toPrecision(5))) as Spread;
}

function mapValues<Value, Mapped>(
  record: Record<string, Value>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
