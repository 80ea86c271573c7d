import { progress } from "../open-database.ts";
import type { Measurement } from "../report.ts";
import { runBenchmark, type Run } from "../run.ts";
import { measureBurst } from "./burst.ts";
import { measureFan } from "./fan.ts";
import { measureLatency } from "./latency.ts";
import { readSettings, type SectionName } from "./settings.ts";
import { setStage, type Stage } from "./stage.ts";
import { measureParked } from "./parked.ts";
import { measureSilentEvents } from "./silent.ts";
import { measureSlowReceivers } from "./slow.ts";
import { measureStarvation } from "./starvation.ts";
import { measureThroughput } from "./throughput.ts";

const sections: Record<SectionName, (stage: Stage) => AsyncIterable<Measurement>> = {
  throughput: measureThroughput,
  latency: measureLatency,
  starvation: measureStarvation,
  burst: measureBurst,
  parked: measureParked,
  silent: measureSilentEvents,
  slow: measureSlowReceivers,
  fan: measureFan,
};

const settings = readSettings();

async function* measure(run: Run): AsyncGenerator<Measurement> {
  const stage = await setStage(settings, run);
  for (const name of settings.sections) {
    progress(`Measuring ${name}`);
    yield* sections[name](stage);
  }
}

await runBenchmark(settings, measure);
