import { parseArgs } from "node:util";

const sectionNames = ["throughput", "latency", "starvation", "burst", "parked", "silent", "slow", "fan"] as const;
export type SectionName = (typeof sectionNames)[number];

/** The numbers of slow endpoints. */
const crowdSizes = ["250", "2000"] as const;
export type CrowdSize = (typeof crowdSizes)[number];

/** The ways in which a receiver keeps a worker waiting: it answers 200 after 9 s, never, or 500 at once. */
const behaviours = ["slow", "hang", "fail"] as const;
export type Behaviour = (typeof behaviours)[number];

export interface Settings {
  sections: readonly SectionName[];
  /** The number of turns that each side has in a measurement. */
  rounds: number;
  /** The same for the fan, of which a few rounds in ten may be bad ones. */
  fanRounds: number;
  /** The number of deliveries in each turn of the throughput, and of endpoints in the fan. */
  deliveries: number;
  /** The length of a turn of the latencies. */
  seconds: number;
  /** The length of a case beside slow receivers: circuits open in it, and the first probes come. */
  slowSeconds: number;
  crowds: readonly CrowdSize[];
  behaviours: readonly Behaviour[];
  /** The number of retries that are parked. */
  parked: number;
  /** Directory for CPU profiles of the worker. */
  profile: string | undefined;
}

const usage = `Usage: bench:webhooks [--only ${sectionNames.join(",")}] [--rounds N] [--deliveries N] [--seconds N] \
[--crowd ${crowdSizes.join(",")}] [--behaviour ${behaviours.join(",")}] [--parked N] [--profile DIR]`;

export function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      rounds: { type: "string" },
      deliveries: { type: "string" },
      seconds: { type: "string" },
      crowd: { type: "string" },
      behaviour: { type: "string" },
      parked: { type: "string" },
      profile: { type: "string" },
    },
  });
  return {
    sections: choose(sectionNames, values.only),
    rounds: parseCount(values.rounds, 5),
    fanRounds: parseCount(values.rounds, 10),
    deliveries: parseCount(values.deliveries, 10_000),
    seconds: parseCount(values.seconds, 10),
    slowSeconds: parseCount(values.seconds, 60),
    crowds: choose(crowdSizes, values.crowd),
    behaviours: choose(behaviours, values.behaviour),
    parked: parseCount(values.parked, 1_000_000),
    profile: values.profile,
  };
}

function choose<Name extends string>(names: readonly Name[], asked: string | undefined): readonly Name[] {
  const chosen = asked?.split(",") ?? names;
  if (!chosen.every((name) => names.includes(name as Name))) throw new Error(usage);
  return names.filter((name) => chosen.includes(name));
}

function parseCount(asked: string | undefined, usual: number): number {
  const count = Number(asked ?? usual);
  if (!(count >= 1)) throw new Error(usage);
  return count;
}
