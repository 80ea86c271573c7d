import { progress } from "./open-database.ts";
import type { Figures, Sides } from "./report.ts";

/** A new process is slow for some seconds, while its code is compiled. */
export const WARM_UP_ROUNDS = 2;

/** The most sides whose results are worth a line in each round. */
const FEW = 3;

/** Gives each side a turn in each round, so that other load affects all. The order alternates. */
export async function playRounds(
  { rounds, warmUp, interruption }: { rounds: number; warmUp: number; interruption: AbortSignal },
  sides: Record<string, () => Promise<Figures>>,
): Promise<Sides> {
  const names = Object.keys(sides);
  const results: Sides = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      interruption.throwIfAborted();
      const figures = await sides[name]!();
      if (round >= 0) results[name]!.push(figures);
    }
    if (round >= 0) progress(`  round ${round + 1}${names.length > FEW ? "" : describeRound(results)}`);
  }
  return results;
}

function describeRound(results: Sides): string {
  const sides = Object.entries(results).map(([name, turns]) => {
    const figures = Object.entries(turns.at(-1)!).map(([figure, value]) => `${figure} ${value.toPrecision(3)}`);
    return `\n    ${name}: ${figures.join(", ")}`;
  });
  return `:${sides.join("")}`;
}
