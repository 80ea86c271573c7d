import { enableCompileCache } from "node:module";
import { Command, Option } from "commander";
import { version } from "../../platform/version.ts";
import { explain } from "../explain.ts";
import { addKeys } from "./keys.ts";
import { jsonOption, readList, readPort, refuseIncomplete, shopOption } from "./options.ts";
import { addShops } from "./shops.ts";
import { addStaff } from "./staff.ts";

/** Runs the command in the process's arguments. Each command loads only its own modules. */
export async function runProgram(): Promise<void> {
  // A start loads two thousand modules. Compiles each only once.
  enableCompileCache();
  const program = createProgram();
  let called: Command | undefined;
  program.hook("preAction", (_program, command) => {
    called = command;
    refuseIncomplete(command);
  });
  try {
    await program.parseAsync();
  } catch (error) {
    console.error(explain(error, called?.options));
    process.exitCode = 1;
  }
}

/** Creates the command line with all commands. */
export function createProgram(): Command {
  const program = new Command("merchant-api")
    .description("The retail back-end that a shop's other systems talk to.")
    .version(version, "--version", "print the version")
    .addHelpText("after", "\nConfiguration comes from the environment: see docs/configuration.md.")
    .helpCommand(false)
    .showHelpAfterError("(--help lists what there is)");
  addProcesses(program);
  addShops(program);
  addKeys(program);
  addStaff(program);
  addOperations(program);
  addMoves(program);
  addDevelopment(program);
  return program;
}

function addProcesses(program: Command): void {
  const load = () => import("../commands/serve.ts");
  program
    .command("serve")
    .description("run the API, GraphQL and the worker in one process; migrates first")
    .action(async () => (await load()).serve({ api: true, worker: true }));
  program
    .command("api")
    .description("run the API and GraphQL alone")
    .action(async () => (await load()).serve({ api: true, worker: false }));
  program
    .command("worker")
    .description("run the worker alone, which sends webhooks and purges what is old")
    .action(async () => (await load()).serve({ api: false, worker: true }));
  program
    .command("migrate")
    .description("bring the database up to date")
    .option("--status", "only print what is applied and what waits; the exit code is 2 when something does")
    .addOption(jsonOption().implies({ status: true }))
    .action(async (options) => (await import("../commands/migrate.ts")).migrate(options));
}

function addOperations(program: Command): void {
  program
    .command("deliveries")
    .description("look at the deliveries of webhooks")
    .command("stats")
    .description("print what waits and what failed, and since when the oldest is due, by shop and health of endpoints")
    .addOption(jsonOption())
    .action(async (options) => (await import("../commands/deliveries.ts")).printDeliveryStats(options));
  program
    .command("secrets")
    .description("manage the encryption of stored secrets")
    .command("reseal")
    .description("encrypt stored secrets under the first of ENCRYPTION_KEYS, beside a running service")
    .action(async () => (await import("../commands/secrets.ts")).reseal());
}

function addMoves(program: Command): void {
  const load = () => import("../commands/move.ts");
  program
    .command("export")
    .description("write a closed shop, with all its secrets, so that another installation can import it")
    .addOption(shopOption())
    .option("--file <path>", "a new file, for its owner alone; standard output by default")
    .action(async (options) => (await load()).exportShop(options));
  program
    .command("import")
    .description("take in a shop that another installation exported, open it, and print its id")
    .option("--file <path>", "what export wrote; standard input by default")
    .action(async (options) => (await load()).importShop(options));
}

function addDevelopment(program: Command): void {
  program
    .command("demo")
    .description("make the demo shops and write their keys to DATA_DIR/demo.json")
    .action(async () => (await import("../commands/demo.ts")).makeDemo());
  program
    .command("openapi")
    .description("print the OpenAPI document")
    .action(async () => (await import("../commands/openapi.ts")).printOpenapi());
  program
    .command("listen")
    .description("receive a shop's webhooks here and print them: the demo shop's, or with --email one of your own")
    .addOption(new Option("--port <port>", "where to listen on this machine").argParser(readPort).default(4400))
    .addOption(new Option("--topics <topic,topic…>", "all by default").argParser<string[]>(readList))
    .option("--forward-to <url>", "send them on, and answer as it does")
    .option("--shop <id>", "the demo's first shop by default, or the only one of --email")
    .option("--email <address>", "ask for this member's password, and listen to a shop of theirs at BASE_URL")
    .option("--code <code>", "of the member's second factor, where they have one")
    .action(async (options) => (await import("../commands/listen.ts")).listen(options));
}
