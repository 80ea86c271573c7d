import { measureDeliveries } from "../../core/webhooks/health/measure-deliveries.ts";
import { printRows, type OutputOptions } from "../output.ts";
import { runOnce } from "../run-once.ts";

/** Prints how the deliveries of each shop fare. */
export function printDeliveryStats(output: OutputOptions): Promise<void> {
  return runOnce(async ({ core }) => printRows(await measureDeliveries(core.orm.em), output));
}
