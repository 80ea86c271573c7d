import { progress } from "../open-database.ts";
import type { Measurement } from "../report.ts";
import { runBenchmark, type Run } from "../run.ts";
import { measureLatency } from "./latency.ts";
import { measureNeighbors } from "./neighbors.ts";
import { readSettings } from "./settings.ts";
import { setStage } from "./stage.ts";
import { measureThroughput } from "./throughput.ts";

const sections = { throughput: measureThroughput, latency: measureLatency, neighbors: measureNeighbors };
const settings = readSettings();

async function* measure(run: Run): AsyncGenerator<Measurement> {
  const stage = await setStage(settings, run);
  for (const name of settings.sections) {
    progress(`Measuring ${name}`);
    yield* sections[name](stage);
  }
}

await runBenchmark(settings, measure);
