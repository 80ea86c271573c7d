import { parseArgs } from "node:util";

const sectionNames = ["throughput", "latency", "starvation", "burst", "parked", "silent"] as const;
export type SectionName = (typeof sectionNames)[number];

export interface Settings {
  sections: readonly SectionName[];
  /** The number of turns that each side has in a measurement. */
  rounds: number;
  /** The number of deliveries in each turn of the throughput. */
  deliveries: number;
  /** The length of a turn of the latencies. */
  seconds: number;
  /** The number of retries that are parked. */
  parked: number;
  /** Directory for CPU profiles of the worker. */
  profile: string | undefined;
}

export function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      rounds: { type: "string", default: "5" },
      deliveries: { type: "string", default: "10000" },
      seconds: { type: "string", default: "10" },
      parked: { type: "string", default: "1000000" },
      profile: { type: "string" },
    },
  });
  const chosen = values.only?.split(",");
  const sections = sectionNames.filter((name) => chosen?.includes(name) ?? true);
  const [rounds, deliveries, seconds, parked] = [values.rounds, values.deliveries, values.seconds, values.parked].map(
    Number,
  ) as [number, number, number, number];
  const isKnown = chosen?.every((name) => sections.includes(name as SectionName)) ?? true;
  if (!isKnown || ![rounds, deliveries, seconds, parked].every((number) => number >= 1)) {
    throw new Error(
      `Usage: bench:webhooks [--only ${sectionNames.join(",")}] [--rounds N] [--deliveries N] [--seconds N] [--parked N] [--profile DIR]`,
    );
  }
  return { sections, rounds, deliveries, seconds, parked, profile: values.profile };
}
