import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { operator } from "../../src/core/access/actor.ts";
import { Permission } from "../../src/core/model/permissions.ts";
import { createServiceToken } from "../../src/core/credentials/service-tokens/service-tokens.ts";
import { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { fillDatabase, settleDatabase } from "../fill.ts";
import type { BenchData } from "../fill/shop.ts";
import { startHelper, type Helper } from "../helper.ts";
import { progress, type BenchDatabase, type Stops } from "../open-database.ts";
import type { Figures, Measurement } from "../report.ts";
import { commonOptions, parseNumber, runBenchmark, type Run } from "../run.ts";
import { startContestant } from "../servers.ts";
import { SMALL, WARM_UP } from "../constants.ts";
import { callTool, floodKinds, makeFloods, makeStrangers, slowHeads, type Flood, type FloodKind } from "./floods.ts";
import type { Load, LoadCommands, LoadResult } from "./load.ts";

/** The load of the measured shop: about that of some tills. */
const CALM = { connections: 40, rate: 40 };
/** The load of the greedy shop and of all shops in the overload, as a multiple of the service's capacity. */
const TIMES = 10;
const OVERLOAD = 5;
/** The address from which everybody else asks. */
const ELSEWHERE = "127.0.0.9";
/** Log-ins, new credentials, large and chunked bodies and Admin. */
const STRANGERS = { connections: 20, rate: 25, localAddress: ELSEWHERE };
/** Connections that measure the capacity, and that then send the overload. */
const PROBING = 10;
const GREEDY = 400;
/** Slow clients of one, some and many networks. */
const SLOW = { "slow-1": 1, "slow-8": 8, "slow-250": 250 };
const SLOW_CLIENTS = 1_000;
/** The recovery time after an overload, in milliseconds. */
const RECOVERY = 2_000;

/** Successful requests that one shop sends many times faster than the service can answer. */
const excesses = ["search", "deep", "create", "mcp", "graphql"] as const;
type Excess = (typeof excesses)[number];

const usage = `Usage: bench:fairness [--only ${[...excesses, ...floodKinds, ...Object.keys(SLOW), "overload"].join("|")}] [--rounds N] \
[--seconds N] [--json FILE] [--database-url URL]`;

const { values } = parseArgs({ options: commonOptions });
const rounds = parseNumber(values.rounds, 3, usage);
const seconds = parseNumber(values.seconds, 8, usage);

type Client = Helper<LoadCommands>;
type Request = Load["requests"][number];

/** The servers, shops and clients of the benchmark. */
interface Stage extends Run {
  url: string;
  /**
   * The address of a server that refuses everything. The overload goes there while the baseline is measured, so that
   * both measurements share the machine with its client.
   */
  refusing: string;
  calm: Request[];
  greedy: Record<Excess, Request[]>;
  floods: Record<FloodKind, Flood>;
  /** The requests of both shops. */
  overload: Request[];
  /** Makes requests that the service sees for the first time. */
  strangers: () => Promise<Request[]>;
  slowHeads: string[];
  calmClient: Client;
  greedyClient: Client;
  /** Measures the capacity while the greedy shop's load goes elsewhere. */
  probe: Client;
  settle: () => Promise<void>;
}

async function* measure(run: Run): AsyncGenerator<Measurement> {
  const stage = await setStage(run);
  const isAsked = (kind: string) => values.only === undefined || values.only === kind;
  for (const kind of excesses.filter(isAsked)) {
    progress(`One shop asks for ${TIMES} times as much as there is: ${kind}`);
    yield await compareCalm(stage, kind, () => excessOf(stage, kind));
  }
  for (const kind of floodKinds.filter(isAsked)) {
    progress(`Requests that are refused for their mistakes, as many as are answered: ${kind}`);
    yield await compareCalm(stage, kind, async () => ({ ...stage.floods[kind], url: stage.url, seconds }));
  }
  for (const [kind, networks] of Object.entries(SLOW).filter(([each]) => isAsked(each))) {
    progress(`${SLOW_CLIENTS} clients of ${networks} networks send slowly`);
    yield await compareStrangers(stage, kind, networks);
  }
  if (!isAsked("overload")) return;
  progress(`All shops ask for ${OVERLOAD} times as much as there is`);
  yield* measureOverload(stage);
}

/** A load of ten times the service's capacity. */
async function excessOf({ url, greedy, greedyClient }: Stage, kind: Excess): Promise<Load> {
  const requests = greedy[kind];
  const most = await greedyClient.ask("offer", { url, requests, connections: PROBING, seconds: 2 });
  const rate = Math.max(TIMES, Math.ceil(most.succeeded * TIMES));
  return { url, requests, connections: GREEDY, rate, seconds };
}

/** Measures the calm shop's latencies while the load goes elsewhere, and while it goes to the service. */
async function compareCalm(stage: Stage, kind: string, makeLoad: () => Promise<Load>): Promise<Measurement> {
  const { url, refusing, greedyClient, settle, interruption } = stage;
  const sides: Record<"quiet" | "beside", Figures[]> = { quiet: [], beside: [] };
  for (let round = 1; round <= rounds; round += 1) {
    interruption.throwIfAborted();
    await settle();
    const load = await makeLoad();
    const askBeside = (greedyUrl: string) =>
      Promise.all([askCalmly(stage), greedyClient.ask("offer", { ...load, url: greedyUrl })]);
    await wait(500);
    const [quiet] = await askBeside(refusing);
    const [beside, offered] = await askBeside(url);
    sides.quiet.push(latenciesOf(quiet));
    sides.beside.push(latenciesOf(beside));
    progress(`  round ${round}, at ${load.rate ?? "any"}/s`);
    progress(`    the calm shop: ${statusesOf(beside)}; the greedy one: ${statusesOf(offered)}`);
  }
  return { name: `calm/${kind}`, title: `A calm shop beside: ${descriptions[kind] ?? kind}`, sides };
}

/** Measures what needs a place without a known credential, and Admin, from an address without slow clients. */
async function compareStrangers(stage: Stage, kind: string, networks: number): Promise<Measurement> {
  const { url, greedyClient, calmClient, slowHeads: heads, settle } = stage;
  const sides: Record<"quiet" | "beside", Figures[]> = { quiet: [], beside: [] };
  const addresses = Array.from({ length: networks }, (_, index) => `127.1.${index}.1`);
  for (let round = 1; round <= rounds; round += 1) {
    await settle();
    const requests = await stage.strangers();
    const ask = async (half: number) => {
      const its = requests.filter((_, index) => index % 2 === half);
      return latenciesOf(await calmClient.ask("offer", { url, requests: its, ...STRANGERS, seconds }));
    };
    sides.quiet.push(await ask(0));
    const slow = greedyClient.ask("dawdle", { url, addresses, heads, connections: SLOW_CLIENTS, seconds: seconds + 8 });
    // Slow requests are cut from the sixth second on.
    await wait(7_000);
    sides.beside.push(await ask(1));
    progress(`  round ${round}: ${await slow} slow connections were ended`);
  }
  return {
    name: `strangers/${kind}`,
    title: `Log-ins and others beside ${SLOW_CLIENTS} slow clients of ${networks} networks`,
    sides,
  };
}

const descriptions: Record<string, string> = {
  search: "searches",
  deep: "distant pages",
  create: "creates",
  mcp: "tools that list products",
  graphql: "GraphQL of a cost of 4,500",
  fields: "bodies with 15,000 unknown fields",
  title: "titles of 255 KB",
  parameters: "900 unknown parameters",
  messages: "tools with 230 unknown arguments",
  document: "documents with 480 unknown fields",
  owners: "such documents of 20 owners",
};

/** Measures how much of the capacity remains when all shops send more, and the latency afterward. */
async function* measureOverload(stage: Stage): AsyncGenerator<Measurement> {
  const { url, refusing, overload: requests, greedyClient, probe } = stage;
  const goodput: Record<"peak" | "overload", Figures[]> = { peak: [], overload: [] };
  const recovery: Record<"before" | "after", Figures[]> = { before: [], after: [] };
  for (let round = 1; round <= rounds; round += 1) {
    await stage.settle();
    recovery.before.push(latenciesOf(await askCalmly(stage)));
    const peak = { url, requests, connections: 20, seconds };
    const { succeeded } = await probe.ask("offer", { ...peak, seconds: 2 });
    const rate = Math.ceil(succeeded * OVERLOAD);
    const load = { url, requests, connections: GREEDY, rate, seconds };
    const beside = greedyClient.ask("offer", { ...load, url: refusing });
    const most = await probe.ask("offer", peak);
    await beside;
    const [over, few] = await Promise.all([greedyClient.ask("offer", load), askCalmly(stage, requests)]);
    await wait(RECOVERY - WARM_UP);
    goodput.peak.push({ perSecond: most.succeeded });
    // The latencies of the many include delays of their busy client.
    const refusedP99 = few.answers["503"]?.p99 ?? 0;
    goodput.overload.push({ perSecond: over.succeeded + few.succeeded, refusedP99 });
    recovery.after.push(latenciesOf(await askCalmly(stage)));
    progress(`  round ${round}: ${statusesOf(over)}; of a few: ${statusesOf(few)}`);
  }
  yield { name: "overload/goodput", title: `Successful requests at ${OVERLOAD} times the capacity`, sides: goodput };
  yield { name: "overload/recovery", title: `A calm shop, ${RECOVERY / 1_000} s after the overload`, sides: recovery };
}

function askCalmly({ url, calm, calmClient }: Stage, requests = calm): Promise<LoadResult> {
  return calmClient.ask("offer", { url, requests, ...CALM, seconds });
}

function statusesOf({ answers }: LoadResult): string {
  return Object.entries(answers)
    .map(([status, { count, p50, p99 }]) => `${count} × ${status} (${p50.toFixed(0)}, ${p99.toFixed(0)} ms)`)
    .join(", ");
}

/** @throws Error when no request succeeded */
function latenciesOf({ answers }: LoadResult): Figures {
  const { p50, p99 } = answers["200"] ?? {};
  if (p50 === undefined || p99 === undefined) throw new Error(`No request succeeded: ${JSON.stringify(answers)}`);
  return { p50, p99 };
}

async function setStage(run: Run): Promise<Stage> {
  const { stops } = run;
  const database = await run.openDatabase("fairness");
  progress("Filling the database");
  const data = await fillDatabase(database, SMALL);
  const server = await startContestant("ours", database.databaseUrl);
  stops.push(server.stop);
  const startClient = async (order: "goFirst" | "goLast"): Promise<Client> => {
    const client = await startHelper<LoadCommands>("fairness/load");
    stops.push(client.stop);
    if (!(await client.ask(order))) {
      progress("Latencies will include waits for the clients of the benchmark: the system does not let them go aside");
    }
    return client;
  };
  const { url } = server;
  const floods = await makeFloods(database.app, data.write);
  const refusing = await startRefusing(stops);
  return {
    ...run,
    url,
    refusing,
    ...(await requestsOf(database, data)),
    floods,
    slowHeads: slowHeads(data.write),
    strangers: () => makeStrangers(database.app, 2 * STRANGERS.rate * (seconds + WARM_UP / 1_000)),
    // In production, clients have their own processors. Without priorities, the measured client would wait for the
    // service, and the service for the overload's client, up to a kernel tick each time.
    calmClient: await startClient("goFirst"),
    greedyClient: await startClient("goLast"),
    probe: await startClient("goLast"),
    settle: () => settleDatabase(database),
  };
}

async function startRefusing(stops: Stops): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(503, { "content-type": "application/json" }).end('{"error":"Too many requests at once"}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function requestsOf(
  { app }: BenchDatabase,
  { read, write }: BenchData,
): Promise<Pick<Stage, "calm" | "greedy" | "overload">> {
  const { em } = app.core.orm;
  const shop = await em.fork().findOneOrFail(Shop, { id: write.id });
  const permissions = [Permission.READ_PRODUCTS];
  const { secret } = await createServiceToken({ em: em.fork(), shop, actor: operator }, { name: "Bench", permissions });
  const get = ({ id, key }: { id: string; key: string }, path: string): Request => ({
    method: "GET",
    path: `/api/v1/${id}${path}`,
    headers: { authorization: `Bearer ${key}` },
  });
  const post = (path: string, key: string, body: object): Request => ({
    method: "POST",
    path,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const costly = `query ($id: ID!) { shop(id: $id) {
    a: products(limit: 250) { total items { id title handle variants { id title sku price inventoryQuantity } } }
    b: products(limit: 250, page: 2) { total items { id title handle variants { id title sku price inventoryQuantity } } }
    c: products(limit: 250, page: 3) { total items { id title handle variants { id title sku price inventoryQuantity } } } } }`;
  return {
    calm: [...read.productIds.slice(0, 50).map((id) => get(read, `/products/${id}`)), get(read, "/products?limit=10")],
    overload: [read, write].map((each) => get(each, "/products?limit=50")),
    greedy: {
      search: [get(write, "/products?search=s+t+o+n+e+w+a+r&limit=250")],
      deep: [get(write, "/products?page=39&limit=250")],
      create: [post(`/api/v1/${write.id}/products`, write.key, { title: "Greedy Mug {n}", price: 14.5 })],
      mcp: [callTool(write.key, "listProducts", {})],
      graphql: [post("/graphql", secret, { query: costly, variables: { id: write.id } })],
    },
  };
}

await runBenchmark({ tool: "bench:fairness", rounds, json: values.json, databaseUrl: values["database-url"] }, measure);
