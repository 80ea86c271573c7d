import { progress } from "../open-database.ts";
import type { Settings } from "./settings.ts";

/** A new process is slow for some seconds, while its code is compiled. */
export const WARM_UP_ROUNDS = 2;

/** The results of both sides. Results of the same round have the same index. */
export interface Rounds<Result> {
  baseline: Result[];
  ours: Result[];
}

export type Sides<Result> = Record<keyof Rounds<Result>, () => Promise<Result>>;

/** Gives both sides a turn in each round, so that other load affects both. The order alternates. */
export async function playRounds<Result>(
  options: { settings: Pick<Settings, "rounds">; interruption: AbortSignal; warmUp: number; unit: string },
  sides: Sides<Result>,
): Promise<Rounds<Result>> {
  const results: Rounds<Result> = { baseline: [], ours: [] };
  for (let round = -options.warmUp; round < options.settings.rounds; round += 1) {
    for (const side of round % 2 === 0 ? (["baseline", "ours"] as const) : (["ours", "baseline"] as const)) {
      options.interruption.throwIfAborted();
      const result = await sides[side]();
      if (round >= 0) results[side].push(result);
    }
    if (round < 0) continue;
    const [baseline, ours] = [results.baseline.at(-1), results.ours.at(-1)].map(describe);
    progress(`  round ${round + 1}: baseline ${baseline}, ours ${ours} ${options.unit}`);
  }
  return results;
}

function describe(result: unknown): string {
  const numbers = typeof result === "object" ? Object.values(result!) : [result];
  return (numbers as number[]).map((number) => number.toPrecision(3)).join(" / ");
}

export function perSecond(count: number, milliseconds: number): number {
  return (count / milliseconds) * 1_000;
}

/** The value at this quantile. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}
