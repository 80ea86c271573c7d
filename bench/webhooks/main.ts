import { progress, withCleanup } from "../open-database.ts";
import { formatTable } from "../report.ts";
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

const sections: Record<SectionName, (stage: Stage) => Promise<Record<string, string>[]>> = {
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
await withCleanup(async (stops, interruption) => {
  const stage = await setStage(settings, stops, interruption);
  for (const name of settings.sections) {
    progress(`Measuring ${name}`);
    console.log(`${formatTable(await sections[name](stage))}\n`);
  }
});
