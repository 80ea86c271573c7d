import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { commitBacklog, makeDeliveries } from "./backlog.ts";
import type { BenchEndpoint } from "./endpoints.ts";
import { clock, serve } from "../helper.ts";

// Commits the events of many shops in a separate process, so that it does not delay the measured writer.

/** Milliseconds from one transaction to the next. */
const BATCH = 200;

const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();

const commands = {
  /** Commits events for the endpoints in turn, evenly spaced, and returns their number. */
  commit: async (endpoints: BenchEndpoint[], pace: { perSecond: number; seconds: number }): Promise<number> => {
    const startedAt = clock();
    let committed = 0;
    for (let due = BATCH; due <= pace.seconds * 1_000; due += BATCH) {
      const early = startedAt + due - clock();
      if (early > 0) await wait(early);
      const count = Math.round((due / 1_000) * pace.perSecond) - committed;
      const turn = Array.from({ length: count }, (_, index) => endpoints[(committed + index) % endpoints.length]!);
      await commitBacklog(client, makeDeliveries(turn, count));
      committed += count;
    }
    return committed;
  },
};
export type CrowdCommands = typeof commands;

serve(commands);
