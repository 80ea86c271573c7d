import { setTimeout as wait } from "node:timers/promises";
import { Agent } from "undici";
import { asOperator } from "../../src/core/access/operation.ts";
import { recordEvent } from "../../src/core/webhooks/events/record-event.sql.ts";
import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { newId } from "../../src/core/model/ids.ts";
import { createBenchApp } from "../open-database.ts";
import { POOL_SIZE } from "../constants.ts";
import type { BenchEndpoint } from "./endpoints.ts";
import { clock, serve } from "../helper.ts";

// Commits events like the API at random times (Poisson), without waiting for earlier commits.

const { DATABASE_URL: databaseUrl, BENCH_KEY: key } = process.env as Record<string, string>;
const { core } = createBenchApp(
  { databaseUrl: databaseUrl!, encryptionKey: Buffer.from(key!, "base64"), poolSize: POOL_SIZE },
  createLogger("silent"),
);
const agent = new Agent({ connections: 20 });

export interface Pace {
  perSecond: number;
  seconds: number;
  /** Posts each event itself after the commit, which shows the best possible latency on this machine. */
  posts: boolean;
}

const commands = {
  /** The products of the events, and when each commit started. */
  write: async (endpoints: BenchEndpoint[], { perSecond, seconds, posts }: Pace): Promise<[string, number][]> => {
    const committing: [string, number][] = [];
    const writes: Promise<void>[] = [];
    const startedAt = clock();
    for (
      let due = startedAt;
      due < startedAt + seconds * 1_000;
      due += (-Math.log(Math.random()) / perSecond) * 1_000
    ) {
      const early = due - clock();
      if (early > 0) await wait(early);
      writes.push(write(endpoints[writes.length % endpoints.length]!));
    }
    await Promise.all(writes);
    return committing;

    async function write(endpoint: BenchEndpoint): Promise<void> {
      const productId = newId("prod");
      const at = await commitEvent(endpoint, productId);
      committing.push([productId, at]);
      if (posts) await post(endpoint, productId);
    }
  },
};
export type WriterCommands = typeof commands;

async function commitEvent({ shopId, topic }: BenchEndpoint, productId: string): Promise<number> {
  return core.orm.em.fork().transactional(async (transaction) => {
    const data = { productId, handle: "stoneware-mug", version: 1 };
    const event = { topic: topic as "product.updated", data, createdAt: new Date() };
    await recordEvent(asOperator(transaction, shopId), event);
    return clock();
  });
}

async function post({ url, topic }: BenchEndpoint, productId: string): Promise<void> {
  const { origin, pathname: path } = new URL(url);
  const body = JSON.stringify({ topic, data: { productId } });
  const headers = { "content-type": "application/json", "webhook-id": productId };
  const answer = await agent.request({ origin, path, method: "POST", headers, body });
  await answer.body.dump();
}

serve(commands);
