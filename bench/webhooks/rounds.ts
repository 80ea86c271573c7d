import { progress } from "../open-database.ts";
import type { Settings } from "./settings.ts";

/** A process that has just begun is slow for some seconds: its code is being compiled. */
export const WARM_UP_ROUNDS = 2;

/** The results of both sides; those of one round have the same place. */
export interface Rounds<Result> {
  yardstick: Result[];
  ours: Result[];
}

export type Sides<Result> = Record<keyof Rounds<Result>, () => Promise<Result>>;

/** Each round gives both a turn, so that whatever else the machine does strikes both; who begins alternates. */
export async function playRounds<Result>(
  options: { settings: Pick<Settings, "rounds">; interruption: AbortSignal; warmUp: number; unit: string },
  sides: Sides<Result>,
): Promise<Rounds<Result>> {
  const results: Rounds<Result> = { yardstick: [], ours: [] };
  for (let round = -options.warmUp; round < options.settings.rounds; round += 1) {
    for (const side of round % 2 === 0 ? (["yardstick", "ours"] as const) : (["ours", "yardstick"] as const)) {
      options.interruption.throwIfAborted();
      const result = await sides[side]();
      if (round >= 0) results[side].push(result);
    }
    if (round < 0) continue;
    const [yardstick, ours] = [results.yardstick.at(-1), results.ours.at(-1)].map(describe);
    progress(`  round ${round + 1}: yardstick ${yardstick}, ours ${ours} ${options.unit}`);
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

/** The value at this share of the sorted values. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}
