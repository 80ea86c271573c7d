import { after, before } from "mocha";
import type { EntityManager } from "@mikro-orm/postgresql";
import { createApp, type App, type AppConfig } from "../../src/app.ts";
import { findFreePort } from "../../src/platform/postgres/embedded-postgres.ts";
import { createLogger, type Logger } from "../../src/platform/telemetry/logger.ts";
import { testConfig } from "./config.ts";
import { cloneDatabase } from "./database.ts";

export class TestServer {
  declare app: App;
  declare em: EntityManager;
  declare databaseUrl: string;
  /** Such as `http://127.0.0.1:41234`. */
  declare url: string;
}

export interface TestServerOptions {
  worker?: boolean;
  config?: Partial<AppConfig>;
  /** Makes `url` its BASE_URL, the only origin at which browsers can use sessions. */
  atBaseUrl?: boolean;
  logger?: Logger;
  /** Creates its database: a copy of the template by default. */
  openDatabase?: () => ReturnType<typeof cloneDatabase>;
}

/** Registers hooks that run a server with its own database for the tests of this block. */
export function useServer(options: TestServerOptions = {}): TestServer {
  const server = new TestServer();
  const stops: (() => Promise<unknown>)[] = [];
  before("start a server", async () => {
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
    Object.assign(server, {
      app,
      em: app.core.orm.em,
      databaseUrl: database.url,
      url: `http://127.0.0.1:${api.port}`,
    });
  });
  after("stop the server", async () => {
    while (stops.length > 0) await stops.pop()!();
  });
  return server;
}
