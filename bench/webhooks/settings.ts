import { parseArgs } from "node:util";
import { commonOptions, parseNumber, type RunSettings } from "../run.ts";

const sectionNames = ["throughput", "latency", "neighbors"] as const;

export interface Settings extends RunSettings {
  sections: readonly (typeof sectionNames)[number][];
  /** Deliveries per turn of the throughput. */
  deliveries: number;
  /** The duration of a turn of the latency. */
  seconds: number;
  /** The loads beside calm shops whose name has this text. */
  load: string;
}

const usage = `Usage: bench:webhooks [--only ${sectionNames.join("|")}] [--rounds N] [--deliveries N] [--seconds N] [--load TEXT] \
[--json FILE] [--database-url URL]`;

export function readSettings(): Settings {
  const { values } = parseArgs({
    options: { ...commonOptions, deliveries: { type: "string" }, load: { type: "string" } },
  });
  const sections = sectionNames.filter((name) => values.only === undefined || values.only === name);
  if (sections.length === 0) throw new Error(usage);
  return {
    tool: "bench:webhooks",
    sections,
    rounds: parseNumber(values.rounds, 5, usage),
    deliveries: parseNumber(values.deliveries, 10_000, usage),
    seconds: parseNumber(values.seconds, 10, usage),
    load: values.load ?? "",
    json: values.json,
    databaseUrl: values["database-url"],
  };
}
