import { assertSameWork } from "./compare.ts";
import { fillDatabase, settleDatabase } from "./fill.ts";
import { takeTurn, type Turn } from "./measure.ts";
import { openPostgres, progress, withCleanup, type Stops } from "./open-database.ts";
import { describeRounds, formatTable, type Rounds } from "./report.ts";
import { startContestant } from "./servers.ts";
import { CONNECTIONS, readSettings, type Settings } from "./settings.ts";

const WARM_UP_TURNS = 2;

async function compare(settings: Settings, stops: Stops, interruption: AbortSignal): Promise<void> {
  const openDatabase = await openPostgres(stops);
  const { app, databaseUrl } = await openDatabase("bench");
  interruption.throwIfAborted();
  progress("Filling the database");
  const data = await fillDatabase(app);

  const nodeFlags = settings.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${settings.profile}`];
  const baseline = await startContestant("baseline", { databaseUrl });
  stops.push(baseline.stop);
  const ours = await startContestant("ours", { databaseUrl, nodeFlags });
  stops.push(ours.stop);
  await assertSameWork([baseline, ours], app, data);

  const rows = [];
  for (const name of settings.measurements) {
    progress(`Measuring ${name}: ${settings.rounds} rounds of 2 × ${settings.seconds} s at ${CONNECTIONS} connections`);
    const takeTurnOf = async (who: "baseline" | "ours") => {
      interruption.throwIfAborted();
      if (name === "create") await settleDatabase(app);
      return takeTurn({ baseline, ours }[who], name, data, settings.seconds);
    };
    rows.push(describeRounds(name, await playRounds(settings.rounds, takeTurnOf)));
  }
  console.log(formatTable(rows));
}

/** Gives both servers a turn in each round, so that other load affects both. The order alternates. */
async function playRounds(rounds: number, takeTurnOf: (who: "baseline" | "ours") => Promise<Turn>): Promise<Rounds> {
  const results: Rounds = { baseline: [], ours: [] };
  for (let round = -WARM_UP_TURNS; round < rounds; round += 1) {
    for (const who of round % 2 === 0 ? (["baseline", "ours"] as const) : (["ours", "baseline"] as const)) {
      const turn = await takeTurnOf(who);
      if (round >= 0) results[who].push(turn);
    }
    const [baseline, ours] = [results.baseline.at(-1), results.ours.at(-1)].map((turn) => turn?.perSecond.toFixed(0));
    if (baseline && ours) progress(`  round ${round + 1}: baseline ${baseline}, ours ${ours} requests/s`);
  }
  return results;
}

const settings = readSettings();
await withCleanup((stops, interruption) => compare(settings, stops, interruption));
