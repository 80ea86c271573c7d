import { setTimeout } from "node:timers/promises";
import autocannon from "autocannon";
import type { BenchData } from "./fill.ts";
import type { Contestant } from "./servers.ts";
import { CONNECTIONS, type MeasurementName } from "./settings.ts";

/** One turn of one server. Latencies in milliseconds. */
export interface Turn {
  perSecond: number;
  p50: number;
  p99: number;
}

/** @throws when an answer is not 2xx or missing */
export async function takeTurn(
  contestant: Contestant,
  name: MeasurementName,
  data: BenchData,
  seconds: number,
): Promise<Turn> {
  const latencies: number[] = [];
  const run = autocannon({
    url: contestant.url,
    connections: CONNECTIONS,
    duration: seconds,
    // The turn ends within this interval of its time. The default is a second.
    sampleInt: 100,
    setupClient: (client) => client.setRequests(requestsOf(name, data)),
  });
  (run as unknown as autocannon.Instance).on("response", (_client, _status, _bytes, latency) => {
    latencies.push(latency);
  });
  const result = await run;
  // Waits for requests that were running when the turn ended.
  await setTimeout(SETTLE);
  if (result.errors + result.non2xx > 0 || result["2xx"] === 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(`${contestant.name} ${name}: ${result.errors} errors, answers ${statuses}`);
  }
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)]!;
  return { perSecond: result["2xx"] / result.duration, p50: quantile(0.5), p99: quantile(0.99) };
}

const SETTLE = 100;
const IDS_PER_CONNECTION = 500;

/** The requests that one connection repeats. */
export function requestsOf(name: MeasurementName, { read, write }: BenchData): autocannon.Request[] {
  const reading = { accept: "application/json", authorization: `Bearer ${read.key}` };
  switch (name) {
    case "list":
      return [{ method: "GET", path: `/api/v1/${read.id}/products?limit=50`, headers: reading }];
    case "single":
      return Array.from({ length: IDS_PER_CONNECTION }, () => {
        const id = read.productIds[Math.floor(Math.random() * read.productIds.length)];
        return { method: "GET", path: `/api/v1/${read.id}/products/${id}`, headers: reading };
      });
    case "create":
      return [
        {
          method: "POST",
          path: `/api/v1/${write.id}/products`,
          headers: { ...reading, authorization: `Bearer ${write.key}`, "content-type": "application/json" },
          setupRequest: (request) => ({ ...request, body: newProductBody() }),
        },
      ];
  }
}

let created = 0;

/** A unique title, as most products of a shop have. */
export function newProductBody(): string {
  created += 1;
  return JSON.stringify({
    title: `Stoneware Mug No. ${created}`,
    price: 14.5,
    sku: `MUG-${created}`,
    inventoryQuantity: 40,
  });
}
