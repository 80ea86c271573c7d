import { parseArgs } from "node:util";
import { commonOptions, parseNumber, type RunSettings } from "../run.ts";

const sectionNames = ["throughput", "latency", "starvation", "burst", "parked", "silent", "slow", "fan"] as const;
export type SectionName = (typeof sectionNames)[number];

/** Numbers of slow endpoints. */
const crowdSizes = ["250", "2000"] as const;
export type CrowdSize = (typeof crowdSizes)[number];

/** Slow receivers: they answer 200 after 9 s, never, or 500 at once. */
const behaviours = ["slow", "hang", "fail"] as const;
export type Behaviour = (typeof behaviours)[number];

export interface Settings extends RunSettings {
  sections: readonly SectionName[];
  /** The number of turns of each side in a measurement. */
  rounds: number;
  /** The same for the fan, where a few rounds may be outliers. */
  fanRounds: number;
  /** Deliveries per turn of the throughput, and endpoints of the fan. */
  deliveries: number;
  /** The duration of a turn of the latencies. */
  seconds: number;
  /** The duration of a case with slow receivers, in which circuits open and the first probes run. */
  slowSeconds: number;
  crowds: readonly CrowdSize[];
  behaviours: readonly Behaviour[];
  /** The number of parked retries. */
  parked: number;
  /** Directory for CPU profiles of the worker. */
  profile: string | undefined;
}

const usage = `Usage: bench:webhooks [--only ${sectionNames.join(",")}] [--rounds N] [--deliveries N] [--seconds N] \
[--crowd ${crowdSizes.join(",")}] [--behaviour ${behaviours.join(",")}] [--parked N] [--json FILE] [--database-url URL] \
[--profile DIR]`;

export function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      ...commonOptions,
      deliveries: { type: "string" },
      crowd: { type: "string" },
      behaviour: { type: "string" },
      parked: { type: "string" },
      profile: { type: "string" },
    },
  });
  return {
    tool: "bench:webhooks",
    sections: choose(sectionNames, values.only),
    rounds: parseNumber(values.rounds, 5, usage),
    fanRounds: parseNumber(values.rounds, 10, usage),
    deliveries: parseNumber(values.deliveries, 10_000, usage),
    seconds: parseNumber(values.seconds, 10, usage),
    slowSeconds: parseNumber(values.seconds, 60, usage),
    crowds: choose(crowdSizes, values.crowd),
    behaviours: choose(behaviours, values.behaviour),
    parked: parseNumber(values.parked, 1_000_000, usage),
    json: values.json,
    databaseUrl: values["database-url"],
    profile: values.profile,
  };
}

function choose<Name extends string>(names: readonly Name[], asked: string | undefined): readonly Name[] {
  const chosen = asked?.split(",") ?? names;
  if (!chosen.every((name) => names.includes(name as Name))) throw new Error(usage);
  return names.filter((name) => chosen.includes(name));
}
