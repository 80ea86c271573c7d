import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../src/app.ts";
import { startEmbeddedPostgres } from "../src/platform/embedded-postgres.ts";
import { createLogger } from "../src/platform/logger.ts";
import { assertSameWork } from "./compare.ts";
import { fillDatabase, settleDatabase } from "./fill.ts";
import { takeTurn, type Turn } from "./measure.ts";
import { describeRounds, formatTable, type Rounds } from "./report.ts";
import { startContestant } from "./servers.ts";
import { CONNECTIONS, readSettings, type Settings } from "./settings.ts";

const WARM_UP_TURNS = 2;

/** Sets everything up, compares, and takes everything down again, also when it is interrupted. */
async function main(settings: Settings): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());
  try {
    await compare(settings, stops, interruption.signal);
  } finally {
    while (stops.length > 0) await stops.pop()!();
  }
}

async function compare(settings: Settings, stops: (() => Promise<void>)[], interruption: AbortSignal): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "merchant-api-bench-"));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  // With its default settings: a commit waits for the disk.
  const postgres = await startEmbeddedPostgres({ dataDir, onProgress: progress });
  stops.push(postgres.stop);
  await postgres.createDatabase("bench");
  const databaseUrl = postgres.url("bench");
  const app = createApp(
    {
      databaseUrl,
      databasePoolSize: 2,
      host: "127.0.0.1",
      port: 0,
      baseUrl: "http://127.0.0.1",
      graphqlIntrospection: false,
      trustedProxies: 0,
      webhooksAllowLoopback: false,
      encryptionKeys: [{ name: "bench", key: randomBytes(32) }],
    },
    createLogger("silent"),
  );
  stops.push(app.close);
  interruption.throwIfAborted();
  await app.migrate();
  progress("Filling the database");
  const data = await fillDatabase(app);

  const nodeFlags = settings.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${settings.profile}`];
  const floor = await startContestant("floor", { databaseUrl });
  stops.push(floor.stop);
  const ours = await startContestant("ours", { databaseUrl, nodeFlags });
  stops.push(ours.stop);
  await assertSameWork([floor, ours], app, data);

  const rows = [];
  for (const name of settings.measurements) {
    progress(`Measuring ${name}: ${settings.rounds} rounds of 2 × ${settings.seconds} s at ${CONNECTIONS} connections`);
    const takeTurnOf = async (who: "floor" | "ours") => {
      interruption.throwIfAborted();
      if (name === "create") await settleDatabase(app);
      return takeTurn({ floor, ours }[who], name, data, settings.seconds);
    };
    rows.push(describeRounds(name, await playRounds(settings.rounds, takeTurnOf)));
  }
  console.log(formatTable(rows));
}

/** Each round gives both a turn, so that whatever else the machine does strikes both; who begins alternates. */
async function playRounds(rounds: number, takeTurnOf: (who: "floor" | "ours") => Promise<Turn>): Promise<Rounds> {
  const results: Rounds = { floor: [], ours: [] };
  for (let round = -WARM_UP_TURNS; round < rounds; round += 1) {
    for (const who of round % 2 === 0 ? (["floor", "ours"] as const) : (["ours", "floor"] as const)) {
      const turn = await takeTurnOf(who);
      if (round >= 0) results[who].push(turn);
    }
    const [floor, ours] = [results.floor.at(-1), results.ours.at(-1)].map((turn) => turn?.perSecond.toFixed(0));
    if (floor && ours) progress(`  round ${round + 1}: floor ${floor}, ours ${ours} requests/s`);
  }
  return results;
}

function progress(message: string): void {
  console.error(`› ${message}`);
}

await main(readSettings());
