import { assertSameWork } from "./compare.ts";
import { findPostmaster, megabytesOf } from "./cpu.ts";
import { fillDatabase, settleDatabase } from "./fill.ts";
import type { BenchData } from "./fill/shop.ts";
import { sendAll, takeTurn } from "./measure.ts";
import { progress, type BenchDatabase } from "./open-database.ts";
import type { Figures, Measurement } from "./report.ts";
import { playRounds, WARM_UP_ROUNDS } from "./rounds.ts";
import { mixedLoad, routes, yardsticks, type Measured } from "./routes.ts";
import { runBenchmark, type Run } from "./run.ts";
import { startContestant, type Contestant } from "./servers.ts";
import { CONNECTIONS } from "./constants.ts";
import { readSettings } from "./settings.ts";

const settings = readSettings();
const { rounds, seconds, minutes } = settings;
const MINUTE = 60;
/** Requests before a heap profile, so that V8 has optimized the code, and during it. */
const HEAP_WARM_UP = 500;
const HEAP_REQUESTS = 500;

/** The servers and data of a run. */
interface Stage extends Run {
  database: BenchDatabase;
  data: BenchData;
  contestants: Contestant[];
  ours: Contestant;
  postmaster: number | undefined;
}

async function setStage(run: Run): Promise<Stage> {
  const database = await run.openDatabase("bench");
  run.interruption.throwIfAborted();
  progress(`Filling the database with ${settings.products} of each kind`);
  const data = await fillDatabase(database, settings.products);
  const contestants = [];
  for (const name of ["baseline", "ours"] as const) {
    const contestant = await startContestant(name, database.databaseUrl);
    run.stops.push(contestant.stop);
    contestants.push(contestant);
  }
  await assertSameWork(contestants, database, data);
  const postmaster = await findPostmaster(database.databaseUrl);
  return { ...run, database, data, contestants, ours: contestants.at(-1)!, postmaster };
}

async function* measure(run: Run): AsyncGenerator<Measurement> {
  const stage = await setStage(run);
  for (const measured of yardsticks(stage.data)) {
    if (settings.isChosen(measured.name)) yield await compareServers(stage, measured);
  }
  yield* measureRoutes(stage);
  if (settings.isChosen("memory")) yield await measureMemory(stage);
  if (settings.isChosen("heap")) yield await measureHeap(stage);
}

/** Measures a route of all servers, at ten connections. */
async function compareServers(stage: Stage, { name, title, requests }: Measured): Promise<Measurement> {
  progress(`${title}: ${rounds} rounds of ${stage.contestants.length} × ${seconds} s, ${CONNECTIONS} connections`);
  const load = { name, requests, connections: CONNECTIONS, seconds };
  const takeTurnOf = (server: Contestant) => async () => {
    if (name === "yardstick/create") await settleDatabase(stage.database);
    return takeTurn(server, load, stage.postmaster);
  };
  const sides = Object.fromEntries(stage.contestants.map((server) => [server.name, takeTurnOf(server)]));
  return { name, title, sides: await playRounds({ ...stage, rounds, warmUp: WARM_UP_ROUNDS }, sides) };
}

/** Measures the routes of our server at one connection. */
async function* measureRoutes({ data, ours, postmaster, interruption }: Stage): AsyncGenerator<Measurement> {
  const chosen = routes(data).filter(({ name }) => settings.isChosen(name));
  if (chosen.length === 0) return;
  progress(`${chosen.length} routes: ${rounds} rounds, one connection`);
  const failures = new Map<string, string>();
  const takeTurnOf =
    ({ name, requests }: Measured) =>
    async (): Promise<Figures> => {
      if (failures.has(name)) return {};
      return takeTurn(ours, { name, requests, connections: 1, seconds: seconds / 3 }, postmaster).catch((error) => {
        failures.set(name, error.message);
        return {};
      });
    };
  const turns = await playRounds(
    { interruption, rounds, warmUp: 1 },
    Object.fromEntries(chosen.map((one) => [one.name, takeTurnOf(one)])),
  );
  for (const { name, title } of chosen) {
    yield { name, title, sides: { ours: turns[name]! }, failure: failures.get(name) };
  }
}

/** Measures our memory after each minute of mixed load. */
async function measureMemory({ data, ours, postmaster, interruption }: Stage): Promise<Measurement> {
  const load = { ...mixedLoad(data), connections: CONNECTIONS, seconds: Math.min(minutes, 1) * MINUTE };
  progress(`Memory after each of ${minutes} minutes of mixed load`);
  const takeMinute = async () => ({
    ...(await takeTurn(ours, load, postmaster)),
    megabytes: megabytesOf(ours.pid) ?? NaN,
  });
  const sides = await playRounds({ interruption, rounds: Math.ceil(minutes), warmUp: 0 }, { ours: takeMinute });
  return { name: "memory", title: "Resident memory after each minute of mixed load", sides };
}

/** Measures the kilobytes that a request allocates, collected or not, by a sampling heap profile. */
async function measureHeap({ data, contestants, ours, interruption }: Stage): Promise<Measurement> {
  progress("Heap profiles of each route");
  const sides: Measurement["sides"] = {};
  // A walk needs the answers.
  const own = routes(data).filter(({ name }) => name !== "route/walk");
  for (const { name, requests } of [...yardsticks(data), ...own]) {
    const servers = name.startsWith("yardstick/") ? contestants : [ours];
    const figures = [];
    for (const server of servers) {
      interruption.throwIfAborted();
      await sendAll(server, requests, HEAP_WARM_UP);
      const bytes = await server.allocatedDuring(() => sendAll(server, requests, HEAP_REQUESTS));
      figures.push([server.name, bytes / HEAP_REQUESTS / 1_000]);
    }
    sides[name] = [Object.fromEntries(figures)];
  }
  return { name: "heap", title: "Kilobytes allocated for each request", sides, isTable: true };
}

await runBenchmark(settings, measure);
