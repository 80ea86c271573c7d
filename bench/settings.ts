import { parseArgs } from "node:util";
import { LARGE, SMALL } from "./constants.ts";
import { commonOptions, parseNumber, type RunSettings } from "./run.ts";

export interface Settings extends RunSettings {
  /** The number of products, and of each other record, in the shop whose routes are measured. */
  products: number;
  /** Returns true for a chosen measurement. */
  isChosen: (name: string) => boolean;
  /** The length of a turn. */
  seconds: number;
  /** The length of the mixed load before memory is read. */
  minutes: number;
}

const groups = ["yardstick", "route", "memory", "heap"];

const usage = `Usage: bench [--million] [--only ${groups.join("|")} or a name such as route/create] [--rounds N] [--seconds N] \
[--minutes N] [--json FILE] [--database-url URL]`;

export function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      ...commonOptions,
      million: { type: "boolean", default: false },
      minutes: { type: "string" },
    },
  });
  const { only, million } = values;
  if (only !== undefined && !groups.includes(only.split("/")[0]!)) throw new Error(usage);
  return {
    tool: "bench",
    products: million ? LARGE : SMALL,
    // All of a group, or one by its name.
    isChosen: (name) => only === undefined || name === only || name.startsWith(`${only}/`),
    rounds: parseNumber(values.rounds, 5, usage),
    seconds: parseNumber(values.seconds, 3, usage),
    minutes: parseNumber(values.minutes, million ? 5 : 1, usage),
    json: values.json,
    databaseUrl: values["database-url"],
  };
}
