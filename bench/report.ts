import { writeFile } from "node:fs/promises";

/**
 * The figures of a turn: `perSecond`; `p50`, `p99` and `max` in milliseconds; `serverCpu` and `databaseCpu` in
 * milliseconds per request; `megabytes` of resident memory.
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
}

/** The results of a run, as `--json` writes them. */
export interface Report {
  tool: string;
  /** The largest number of products in a shop, where it matters. */
  products?: number;
  measuredAt: string;
  machine: Machine;
  measurements: Measurement[];
}

export interface Machine {
  processor: string;
  cores: number;
  node: string;
  postgres: string;
}

export async function writeReport(file: string, report: Report): Promise<void> {
  await writeFile(file, `${JSON.stringify(report, null, 1)}\n`);
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of a figure. Undefined if the side has no such figure. */
export function medianOf(turns: Figures[] | undefined, figure: string): number | undefined {
  const values = turns?.map((turn) => turn[figure]).filter((value) => value !== undefined) ?? [];
  return values.length === 0 ? undefined : median(values);
}

/** The ratios of a figure in each round, sorted. */
export function ratiosOf(turns: Figures[], reference: Figures[], figure: string): number[] {
  return turns
    .map((turn, round) => turn[figure]! / reference[round]![figure]!)
    .filter(Number.isFinite)
    .toSorted((a, b) => a - b);
}
