import { Pool } from "undici";
import { signDelivery } from "../../src/core/webhooks/deliveries/delivery-headers.ts";
import { clock, serve } from "../helper.ts";
import type { BenchDelivery } from "./backlog.ts";

// The baseline: signs the same bodies and posts them to the same receiver, from memory, as fast as undici can, without
// storing anything.

let deliveries: BenchDelivery[] = [];

const commands = {
  load: (loaded: BenchDelivery[]): void => void (deliveries = loaded),
  /** Posts all loaded deliveries and returns the duration in milliseconds. */
  run: async (concurrency: number): Promise<number> => {
    const origins = new Set(deliveries.map(({ url }) => new URL(url).origin));
    const connections = Math.ceil(concurrency / origins.size);
    const pools = new Map([...origins].map((origin) => [origin, new Pool(origin, { connections })]));
    const targets = new Map(deliveries.map(({ url }) => [url, targetOf(url, pools)]));
    const work = deliveries.values();
    const startedAt = clock();
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (const delivery of work) await post(delivery, targets.get(delivery.url)!);
      }),
    );
    const took = clock() - startedAt;
    await Promise.all([...pools.values()].map((pool) => pool.close()));
    return took;
  },
};
export type LoopCommands = typeof commands;

interface Target {
  pool: Pool;
  path: string;
}

function targetOf(url: string, pools: Map<string, Pool>): Target {
  const { origin, pathname } = new URL(url);
  return { pool: pools.get(origin)!, path: pathname };
}

async function post({ secret, eventId, topic, body }: BenchDelivery, { pool, path }: Target): Promise<void> {
  const secrets = { active: secret, valid: [secret] };
  const headers = {
    "content-type": "application/json",
    "user-agent": "MerchantAPI-Webhooks/1.0",
    "x-webhook-topic": topic,
    ...signDelivery({ secrets, eventId, body, at: new Date() }),
  };
  const answer = await pool.request({ path, method: "POST", headers, body });
  if (answer.statusCode !== 204) throw new Error(`The receiver answered ${answer.statusCode}`);
  await answer.body.dump();
}

serve(commands);
