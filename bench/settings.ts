import { parseArgs } from "node:util";

/** Connections of each server to PostgreSQL. */
export const POOL_SIZE = 10;
/** Connections of the load generator. */
export const CONNECTIONS = 10;

/**
 * The warm-up of `bench:fairness`, in milliseconds. Connections open in it, of which a busy Node accepts a few in each
 * turn of its event loop.
 */
export const WARM_UP = 1_000;

const measurementNames = ["list", "single", "create"] as const;
export type MeasurementName = (typeof measurementNames)[number];

export interface Settings {
  measurements: readonly MeasurementName[];
  /** The number of turns of each server in a measurement. */
  rounds: number;
  /** The length of a turn. */
  seconds: number;
  /** Directory for a CPU profile of our server. */
  profile: string | undefined;
}

export function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      rounds: { type: "string", default: "9" },
      seconds: { type: "string", default: "3" },
      profile: { type: "string" },
    },
  });
  const measurements = measurementNames.filter((name) => values.only === undefined || values.only === name);
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  if (measurements.length === 0 || !(rounds >= 1) || !(seconds > 0)) {
    throw new Error(`Usage: bench [--only ${measurementNames.join("|")}] [--rounds N] [--seconds N] [--profile DIR]`);
  }
  return { measurements, rounds, seconds, profile: values.profile };
}
