import { measureDeliveries } from "../../core/webhooks/health/measure-deliveries.ts";
import { printRows, type OutputOptions } from "../output.ts";
import { runOnce } from "../open-app.ts";

/** Prints figures of each shop's deliveries. */
export function printDeliveryStats(output: OutputOptions): Promise<void> {
  return runOnce(async ({ core }) => printRows(await measureDeliveries(core.orm.em), output));
}
