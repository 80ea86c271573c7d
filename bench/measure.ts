import { setTimeout } from "node:timers/promises";
import autocannon from "autocannon";
import { cpuOf, cpuOfPostgres } from "./cpu.ts";
import { quantileOf, type Figures } from "./report.ts";
import type { Contestant } from "./servers.ts";

/** Requests of a turn. */
export interface Load {
  name: string;
  /** Makes the requests that one connection repeats. */
  requests: () => autocannon.Request[];
  connections: number;
  seconds: number;
}

const SETTLE = 100;

/** Sends requests to a server for some seconds. @throws Error when an answer is missing, not 2xx or has errors */
export async function takeTurn(
  server: Contestant,
  { name, requests, connections, seconds }: Load,
  postmaster: number | undefined,
): Promise<Figures> {
  const latencies: number[] = [];
  const cpuBefore = [cpuOf(server.pid), cpuOfPostgres(postmaster)];
  const run = autocannon({
    url: server.url,
    connections,
    duration: seconds,
    // The turn ends within this interval of its time. The default is a second.
    sampleInt: 100,
    setupClient: (client) => client.setRequests(requests()),
    // GraphQL answers 200 with errors.
    verifyBody: (body) => !String(body).includes('"errors":'),
  });
  (run as unknown as autocannon.Instance).on("response", (_client, _status, _bytes, latency) => {
    latencies.push(latency);
  });
  const result = await run;
  // Waits for requests that were running when the turn ended.
  await setTimeout(SETTLE);
  if (result.errors + result.non2xx + result.mismatches > 0 || result["2xx"] === 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `${server.name} ${name}: ${result.errors} errors, ${result.mismatches} with errors, answers ${statuses}`,
    );
  }
  const cpuAfter = [cpuOf(server.pid), cpuOfPostgres(postmaster)];
  const [serverCpu, databaseCpu] = cpuAfter.map((after, index) => (after! - cpuBefore[index]!) / latencies.length);
  const quantile = quantileOf(latencies);
  return {
    perSecond: result["2xx"] / result.duration,
    p50: quantile(0.5),
    p99: quantile(0.99),
    ...(serverCpu! >= 0 && { serverCpu }),
    ...(databaseCpu! >= 0 && { databaseCpu }),
  };
}

/** Sends a number of requests, one after the other. @throws Error when an answer is not 2xx */
export async function sendAll(
  { url }: Pick<Contestant, "url">,
  requests: () => autocannon.Request[],
  count: number,
): Promise<void> {
  const repeated = requests();
  for (let index = 0; index < count; index += 1) {
    const request = repeated[index % repeated.length]!;
    const { method, path, headers, body } =
      typeof request.setupRequest === "function" ? request.setupRequest(request, {}) : request;
    const answer = await fetch(url + path, {
      method: method!,
      headers: { ...(headers as Record<string, string>), "accept-encoding": "identity" },
      ...(body !== undefined && { body: String(body) }),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
  }
}
