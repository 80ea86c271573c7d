import { after, before } from "mocha";
import type { EntityManager } from "@mikro-orm/postgresql";
import { createApp, type App, type AppConfig } from "../../src/app.ts";
import { findFreePort } from "./free-port.ts";
import { createLogger, type Logger } from "../../src/platform/telemetry/logger.ts";
import { atEnd } from "./at-end.ts";
import { testConfig } from "./config.ts";
import { cloneDatabase, query } from "./database.ts";

export class TestServer {
  declare app: App;
  declare em: EntityManager;
  declare databaseUrl: string;
  /** Such as `http://127.0.0.1:41234`. */
  declare url: string;
}

/** Each option gives a file its own server and database. Without options, it shares those of its process. */
export interface TestServerOptions {
  /** Why the tests cannot share a server, such as "counts the rows of all shops". */
  own?: string;
  worker?: boolean;
  config?: Partial<AppConfig>;
  /** Makes `url` its BASE_URL, the only origin at which browsers can use sessions. */
  atBaseUrl?: boolean;
  logger?: Logger;
  /** Creates its database: a copy of the template by default. */
  openDatabase?: () => ReturnType<typeof cloneDatabase>;
}

type Stops = (() => Promise<unknown>)[];

/** Registers hooks that provide a server for the tests of this block. */
export function useServer(options: TestServerOptions = {}): TestServer {
  const server = new TestServer();
  const stops: Stops = [];
  const isShared = Object.keys(options).length === 0;
  before("start a server", async () => {
    Object.assign(server, await (isShared ? shareServer() : startServer(options, stops)));
  });
  after("stop the server", () => stopAll(stops));
  return server;
}

const sharedStops: Stops = [];
let shared: Promise<TestServer> | undefined;

/** The server of this process, for one file after another. It runs until the end of the run. */
async function shareServer(): Promise<TestServer> {
  if (!shared) atEnd(() => stopAll(sharedStops));
  const server = await (shared ??= startServer({}, sharedStops));
  // All files log in from the same address, which earlier failures would lock out.
  await query(server.databaseUrl, "delete from login_attempts");
  return server;
}

async function startServer(options: TestServerOptions, stops: Stops): Promise<TestServer> {
  const database = await (options.openDatabase ?? cloneDatabase)();
  stops.push(database.drop);
  const port = options.atBaseUrl ? await findFreePort() : 0;
  const address = options.atBaseUrl && { port, baseUrl: `http://127.0.0.1:${port}` };
  const config = { ...testConfig(database.url), ...address, ...options.config };
  const app = createApp(config, options.logger ?? createLogger("silent"));
  stops.push(app.close);
  if (options.worker) stops.push((await app.startWorker()).stop);
  const api = await app.startApi();
  stops.push(api.stop);
  return { app, em: app.core.orm.em, databaseUrl: database.url, url: `http://127.0.0.1:${api.port}` };
}

async function stopAll(stops: Stops): Promise<void> {
  while (stops.length > 0) await stops.pop()!();
}
