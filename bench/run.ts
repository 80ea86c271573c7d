import { availableParallelism, cpus } from "node:os";
import { formatMeasurement } from "./format-measurement.ts";
import { openPostgres, withCleanup, type BenchDatabase, type Stops } from "./open-database.ts";
import { summarize, writeReport, type Measurement, type Report } from "./report.ts";

/** The options of every benchmark. */
export const commonOptions = {
  only: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  json: { type: "string" },
  "database-url": { type: "string" },
} as const;

export interface RunSettings {
  tool: string;
  /** The largest number of products in a shop, where it matters. */
  products?: number;
  /** The number of turns of each side in a measurement. */
  rounds: number;
  /** The file for the results. */
  json: string | undefined;
  /** A running PostgreSQL. Undefined for the embedded one. */
  databaseUrl: string | undefined;
}

/** What a benchmark needs to run. */
export interface Run {
  stops: Stops;
  interruption: AbortSignal;
  openDatabase: (name: string) => Promise<BenchDatabase>;
}

/** Runs a benchmark. Prints each measurement, and writes all of them to the file so far. */
export async function runBenchmark(
  { json, databaseUrl, ...about }: RunSettings,
  measure: (run: Run) => AsyncIterable<Measurement>,
): Promise<void> {
  await withCleanup(async (stops, interruption) => {
    const { version, openDatabase } = await openPostgres(stops, databaseUrl);
    const report: Report = {
      ...about,
      measuredAt: new Date().toISOString(),
      machine: {
        processor: cpus()[0]?.model ?? "unknown",
        cores: availableParallelism(),
        node: process.version,
        postgres: version,
      },
      measurements: [],
    };
    for await (const measurement of measure({ stops, interruption, openDatabase })) {
      const result = summarize(measurement);
      console.log(formatMeasurement(result));
      report.measurements.push(result);
      if (json !== undefined) await writeReport(json, report);
    }
  });
}

/** Parses a positive number. @throws Error with the usage */
export function parseNumber(text: string | undefined, usual: number, usage: string): number {
  const number = Number(text ?? usual);
  if (!(number > 0)) throw new Error(usage);
  return number;
}
