// A model, not a measurement: how requests and failures spread when ten thousand shops share 1, 4 or 16 cells. The cost of a
// request is measured (results/small.json), the rest are the assumptions below.
import { readFile } from "node:fs/promises";

const SHOPS = 10_000;
/** The rate of the n-th largest shop is proportional to 1 / n to this power. */
const ZIPF = 0.9;
/** Cores of PostgreSQL in each cell, and how much of them requests may use. */
const CORES = 8;
const BUSY = 0.6;
/** Parts of the requests by route. */
const MIX = { "route/product": 0.6, "route/first-page": 0.2, "route/search-words": 0.1, "route/create": 0.1 };
/** The standard deviation of the logarithm of a shop's growth until the next rebalancing. */
const DRIFT = 0.5;
/** A cell sends a shop away while its load is this many times the mean. */
const CROWDED = 1.1;

interface Measurement {
  name: string;
  sides: { ours: { databaseCpu?: number[] } };
}

/** Each shop's part of all requests, the largest first. */
const shares = normalize(Array.from({ length: SHOPS }, (_, index) => 1 / (index + 1) ** ZIPF));

function normalize(values: readonly number[]): number[] {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
}

/** PostgreSQL's CPU for a request of the mix. Milliseconds. */
async function readCost(): Promise<number> {
  const { measurements } = JSON.parse(await readFile("bench/results/small.json", "utf8")) as {
    measurements: Measurement[];
  };
  const costs = Object.entries(MIX).map(([name, part]) => {
    const [median] = measurements.find((each) => each.name === name)!.sides.ours.databaseCpu!;
    return part * median!;
  });
  return costs.reduce((sum, cost) => sum + cost, 0);
}

const loadsOf = (cells: number, homes: readonly number[], parts: readonly number[]) => {
  const loads = Array.from({ length: cells }, () => 0);
  for (const [shop, home] of homes.entries()) loads[home]! += parts[shop]!;
  return loads;
};
const emptiest = (loads: readonly number[]) => loads.indexOf(Math.min(...loads));
const fullest = (loads: readonly number[]) => loads.indexOf(Math.max(...loads));

/** Places the largest shops first, each in the cell with the least load. */
function place(cells: number): number[] {
  const loads = Array.from({ length: cells }, () => 0);
  return shares.map((share) => {
    const home = emptiest(loads);
    loads[home]! += share;
    return home;
  });
}

/** A linear congruential generator, for the same numbers in each run. */
function* randoms(): Generator<number> {
  for (let state = 1; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield (state + 0.5) / 2 ** 32;
  }
}

/** Lets each shop grow or shrink, and moves shops until no cell is crowded. Returns the load before it, and the moves. */
function rebalance(cells: number, homes: readonly number[]): { before: number; moves: number } {
  const random = randoms();
  const next = () => random.next().value as number;
  const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const parts = normalize(shares.map((share) => share * Math.exp(DRIFT * normal())));
  const where = [...homes];
  const loads = loadsOf(cells, where, parts);
  const before = Math.max(...loads) * cells;
  let moves = 0;
  for (; Math.max(...loads) * cells > CROWDED; moves += 1) {
    const [from, to] = [fullest(loads), emptiest(loads)];
    const gap = (loads[from]! - loads[to]!) / 2;
    // The largest shop that does not make the other cell the fuller one.
    const candidates = where.flatMap((home, shop) => (home === from && parts[shop]! <= gap ? [shop] : []));
    const shop = candidates.reduce((best, each) => (parts[each]! > parts[best]! ? each : best), candidates[0]!);
    if (shop === undefined) break;
    where[shop] = to;
    loads[from]! -= parts[shop]!;
    loads[to]! += parts[shop]!;
  }
  return { before, moves };
}

const cost = await readCost();
console.log(
  `${cost.toFixed(2)} ms of PostgreSQL's CPU a request; the largest shop sends ${(shares[0]! * 100).toFixed(1)} % of them`,
);
console.log("| cells | requests/s | a failure stops | fullest cell ÷ mean | after a drift | moves until below 1.1 |");
console.log("|--:|--:|--:|--:|--:|--:|");
for (const cells of [1, 4, 16]) {
  const homes = place(cells);
  const loads = loadsOf(cells, homes, shares);
  const requests = (CORES * BUSY * 1_000) / cost / Math.max(...loads);
  const { before, moves } = rebalance(cells, homes);
  const row = [cells, Math.round(requests / 100) * 100, `${(Math.max(...loads) * 100).toFixed(1)} %`];
  console.log(`| ${[...row, (Math.max(...loads) * cells).toFixed(2), before.toFixed(2), moves].join(" | ")} |`);
}
