import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createApp, type App, type AppConfig } from "./app.ts";
import { parseEncryptionKeys, readConfig, type Config } from "./config.ts";
import { operator } from "./core/caller.ts";
import { createApiKey } from "./core/credentials/create-api-key.ts";
import type { Scope } from "./core/permissions.ts";
import { createShop } from "./core/shops/create-shop.ts";
import { Plan } from "./core/shops/shop.entity.ts";
import { Role } from "./core/staff/staff.entity.ts";
import { ensureDemo } from "./demo/create-demo.ts";
import { listenForWebhooks } from "./demo/listen.ts";
import { welcome } from "./demo/welcome.ts";
import { startEmbeddedPostgres } from "./platform/embedded-postgres.ts";
import { AppError, OperatorError } from "./platform/errors.ts";
import { readKeptSecret } from "./platform/kept-secret.ts";
import { createLogger } from "./platform/logger.ts";
import { untilStopped } from "./platform/until-stopped.ts";
import { describeApi } from "./rest/openapi.ts";
import { routes } from "./rest/router.ts";
import { addStaff, inviteStaff, setStaffPassword } from "./staff-commands.ts";

/** Requests and attempts take 10 seconds each; what runs us often ends us after 30. Milliseconds. */
const STOP_DEADLINE = 25_000;

const usage = `Usage: merchant-api <command>

  serve            API, GraphQL and webhook worker in one process; migrates first
  api              API and GraphQL alone
  worker           webhook worker alone
  migrate          bring the database up to date
  demo             make the demo shops and write their keys to DATA_DIR/demo.json
  shops create     --name NAME --plan ${Object.values(Plan).join("|")} --currency CODE [--trial-ends INSTANT]
  keys create      --shop ID --name NAME --scope SCOPE [--scope SCOPE …]
  staff add        --shop ID --email ADDRESS --role ${Object.values(Role).join("|")} [--invite]
                   asks for a password when the address has no account; --invite prints a token instead
  staff password   --email ADDRESS: sets a new password and ends all sessions
  openapi          print the OpenAPI document
  listen           [--port PORT] [--topics TOPIC,TOPIC…] [--forward-to URL] [--shop ID] [--email ADDRESS]
                   receive the demo shop's webhooks here and print them; send them on, and answer as URL does;
                   --email asks for that member's password, and listens to a shop of theirs at BASE_URL

Configuration comes from the environment: see the README.`;

const flags = {
  name: { type: "string" },
  plan: { type: "string" },
  currency: { type: "string" },
  "trial-ends": { type: "string" },
  shop: { type: "string" },
  scope: { type: "string", multiple: true },
  email: { type: "string" },
  role: { type: "string" },
  invite: { type: "boolean" },
  "forward-to": { type: "string" },
  port: { type: "string" },
  topics: { type: "string" },
  help: { type: "boolean" },
} as const;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: flags });
  const command = positionals.join(" ");
  if (values.help || command === "") return console.log(usage);
  const config = readConfig(process.env);
  switch (command) {
    case "serve":
      return serve(config, { api: true, worker: true });
    case "api":
      return serve(config, { api: true, worker: false });
    case "worker":
      return serve(config, { api: false, worker: true });
    case "migrate":
      return once(config, (app) => app.migrate());
    case "demo":
      return once(config, async (app) => {
        await app.migrate();
        await ensureDemo(app.core.orm.em, { file: config.demoFile, baseUrl: config.baseUrl, onProgress: progress });
        progress(`The demo's keys and logins are in ${config.demoFile}`);
      });
    case "shops create":
      return once(config, async ({ core }) => {
        const { name = "", plan = "", currency = "", "trial-ends": trialEnds } = values;
        const trialEndsAt = trialEnds === undefined ? null : new Date(trialEnds);
        const shop = await createShop(core.orm.em, { name, plan: plan as Plan, currency, trialEndsAt });
        console.log(shop.id);
      });
    case "keys create":
      return once(config, async ({ core }) => {
        const { shop = "", name = "", scope = [] } = values;
        const { secret } = await createApiKey(core.orm.em, shop, operator, { name, scopes: scope as Scope[] });
        console.log(secret);
      });
    case "staff add":
      return once(config, async ({ core }) => {
        const { shop = "", email = "", role = "", invite } = values;
        return invite ? inviteStaff(core, { shop, email, role }, config) : addStaff(core, { shop, email, role });
      });
    case "staff password":
      return once(config, ({ core }) => setStaffPassword(core, values.email ?? ""));
    case "openapi":
      return console.log(JSON.stringify(describeApi(routes, config.baseUrl), null, 2));
    case "listen":
      return listenForWebhooks(config, { ...values, forwardTo: values["forward-to"] });
    default:
      throw new OperatorError(`Unknown command: ${command}\n\n${usage}`);
  }
}

/** Runs until SIGINT or SIGTERM, then stops everything in the reverse order. */
async function serve(config: Config, faces: { api: boolean; worker: boolean }): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async () => {
    while (stops.length > 0) await stops.pop()!();
  };
  try {
    const app = await openApp(config, stops, { share: false });
    if (faces.api && faces.worker) {
      progress("Migrating the database");
      await app.migrate();
    }
    const isEmbedded = config.database.kind === "embedded";
    const demo = isEmbedded
      ? await ensureDemo(app.core.orm.em, { file: config.demoFile, baseUrl: config.baseUrl, onProgress: progress })
      : undefined;
    if (faces.worker) stops.push((await app.startWorker()).stop);
    if (faces.api) stops.push((await app.startApi()).stop);
    if (demo) console.log(welcome(demo, config));
    else progress(faces.api ? `Serving ${config.baseUrl}` : "Working");
    await untilStopped();
    progress("Stopping");
    endInAnyCase();
  } finally {
    await stopAll();
  }
}

/** What has not ended by then, as when the database is away, is done again by the next process. */
function endInAnyCase(): void {
  const end = () => {
    progress("Not everything has ended in time");
    process.exit(1);
  };
  setTimeout(end, STOP_DEADLINE).unref();
}

/** Does one thing with the database and ends. */
async function once(config: Config, work: (app: App) => Promise<void>): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  try {
    await work(await openApp(config, stops, { share: true }));
  } finally {
    while (stops.length > 0) await stops.pop()!();
  }
}

async function openApp(config: Config, stops: (() => Promise<void>)[], options: { share: boolean }): Promise<App> {
  const appConfig: AppConfig = {
    ...config,
    databaseUrl: await openDatabase(config, stops, options),
    encryptionKeys: config.encryptionKeys ?? (await readOwnEncryptionKey(config.dataDir)),
  };
  const app = createApp(appConfig, createLogger(config.logLevel));
  stops.push(app.close);
  return app;
}

async function openDatabase(
  config: Config,
  stops: (() => Promise<void>)[],
  { share }: { share: boolean },
): Promise<string> {
  if (config.database.kind === "server") return config.database.url;
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, share, onProgress: progress });
  stops.push(postgres.stop);
  await postgres.createDatabase("merchant_api");
  return postgres.url("merchant_api");
}

/** Outside production, signing secrets may be encrypted with a key that is made at the first start. */
async function readOwnEncryptionKey(dataDir: string) {
  const make = () => `own:${randomBytes(32).toString("base64")}`;
  return parseEncryptionKeys(await readKeptSecret(join(dataDir, "encryption-key"), make));
}

function progress(message: string): void {
  console.error(`› ${message}`);
}

/** Operators get messages; a stack only where the fault is ours. */
function explain(error: unknown): unknown {
  if (error instanceof AppError) {
    return [error.message, ...(error.issues ?? []).map((issue) => `  ${issue.path}: ${issue.message}`)].join("\n");
  }
  return error instanceof OperatorError ? error.message : error;
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});
