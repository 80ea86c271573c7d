import { enableCompileCache } from "node:module";
import { setImmediate } from "node:timers/promises";
import { Command, Option } from "commander";
import { version } from "../../platform/version.ts";
import { explain } from "../explain.ts";
import { addCustomers, addKeys, addLists, addShops } from "./shops.ts";
import {
  jsonOption,
  readList,
  readPort,
  readSeconds,
  refuseIncomplete,
  RequiredOption,
  shopCommand,
} from "./options.ts";
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
  // console.log ignores a full disk, which would lose a secret. A reader may close its pipe.
  let lost: NodeJS.ErrnoException | undefined;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") lost = error;
  });
  try {
    await program.parseAsync();
    // The last write fails after the command has ended.
    await setImmediate();
    if (lost !== undefined) throw lost;
  } catch (error) {
    console.error(explain(error, called?.options));
    process.exitCode = 1;
  }
}

/** Creates the command line with all commands. */
export function createProgram(): Command {
  const program = new Command("merchant-api")
    .description("Run and manage Merchant API, a retail back-end with a REST API, GraphQL and webhooks.")
    .version(version, "--version", "print the version")
    .addHelpText("after", "\nConfigure with environment variables: see docs/configuration.md.")
    .helpCommand(false)
    .showHelpAfterError("(run with --help for a list of commands and options)");
  addProcesses(program);
  addMoves(addShops(program));
  addCustomers(program);
  addLists(program);
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
    .alias("start")
    .description("run the API, GraphQL and the worker in one process, after migrating the database")
    .action(async () => (await load()).serve({ api: true, worker: true }));
  program
    .command("api")
    .description("run only the API and GraphQL")
    .action(async () => (await load()).serve({ api: true, worker: false }));
  program
    .command("worker")
    .description("run only the worker, which sends webhooks and emails and deletes expired data")
    .action(async () => (await load()).serve({ api: false, worker: true }));
  program
    .command("migrate")
    .description("migrate the database to this version")
    .option("--status", "only list applied and pending migrations; exits with code 2 if any are pending")
    .addOption(jsonOption().implies({ status: true }))
    .addOption(new Option("--wait <seconds>", "the longest wait for PostgreSQL").argParser(readSeconds).default(60))
    .action(async (options) => (await import("../commands/operations.ts")).migrate(options));
  program
    .command("distribute")
    .description("distribute the database by shop over the nodes of its Citus cluster; can be repeated")
    .option("--dry-run", "only print the statements")
    .action(async (options) => (await import("../commands/operations.ts")).distribute(options));
}

function addOperations(program: Command): void {
  program
    .command("doctor")
    .description("check settings, database, mail server, network and workers; exits with 1 for warnings, 2 for errors")
    .option("--send-to <address>", "also send a test email to this address")
    .addOption(jsonOption())
    .action(async (options) => (await import("../commands/doctor.ts")).doctor(options));
  program
    .command("mail")
    .description("check emails")
    .command("test")
    .description("send a test email and print the server's answer")
    .addOption(new RequiredOption("--to <address>", "the recipient"))
    .addOption(jsonOption())
    .action(async (options) => (await import("../commands/mail.ts")).testMail(options));
  program
    .command("deliveries")
    .description("inspect webhook deliveries")
    .command("stats")
    .description("count waiting and failed deliveries and show the oldest due one, by shop and endpoint health")
    .addOption(jsonOption())
    .action(async (options) => (await import("../commands/operations.ts")).printDeliveryStats(options));
  shopCommand(
    program,
    "check-receiver",
    "check how a receiver responds to valid and invalid deliveries; exits with code 2 if it fails",
  )
    .addOption(new RequiredOption("--endpoint <id>", "the ID of the webhook endpoint"))
    .addOption(jsonOption())
    .action(async (options) => (await import("../commands/operations.ts")).checkReceiver(options));
  program
    .command("secrets")
    .description("manage the encryption of stored secrets")
    .command("reseal")
    .description("encrypt stored secrets with the first of ENCRYPTION_KEYS; the service can keep running")
    .action(async () => (await import("../commands/operations.ts")).reseal());
}

/** Adds the commands to shops, and to the program, where they stood first. */
function addMoves(parent: Command): void {
  const load = () => import("../commands/move.ts");
  shopCommand(parent, "export", "export a closed shop, with all its secrets, for import into another installation")
    .option("--file <path>", "the file to create, readable only by its owner (default: standard output)")
    .action(async (options) => (await load()).exportShop(options));
  parent
    .command("import")
    .description("import a shop from another installation, open it and print its ID")
    .option("--file <path>", "the exported file (default: standard input)")
    .option(
      "--trusted",
      "take a file without a seal, such as of a release before 1.2, or with the seal of unknown keys",
    )
    .action(async (options) => (await load()).importShop(options));
}

function addDevelopment(program: Command): void {
  program
    .command("demo")
    .description("create the demo shops and write their API keys and logins to DATA_DIR/demo.json")
    .action(async () => (await import("../commands/development.ts")).makeDemo());
  program
    .command("openapi")
    .description("print the OpenAPI document")
    .action(async () => (await import("../commands/development.ts")).printOpenapi());
  program
    .command("listen")
    .description("receive and print the webhooks of a demo shop, or of your own shop with --email")
    .addOption(new Option("--port <port>", "the local port to listen on").argParser(readPort).default(4400))
    .addOption(new Option("--topics <topic,topic…>", "topics to receive (default: all)").argParser<string[]>(readList))
    .option("--forward-to <url>", "forward deliveries to this URL and return its responses")
    .option("--shop <id>", "the ID of the shop (default: the first demo shop, or your only shop with --email)")
    .option("--email <address>", "log in at BASE_URL with this email address; asks for the password")
    .option("--code <code>", "a two-factor code, if the account uses two-factor authentication")
    .action(async (options) => (await import("../commands/development.ts")).listen(options));
  shopCommand(
    program,
    "pull",
    "fetch the events of a pull endpoint from BASE_URL, and print or forward them; asks for a service token",
  )
    .addOption(new RequiredOption("--endpoint <id>", "the ID of the pull endpoint, from its page in Admin"))
    .option("--forward-to <url>", "forward events to this URL, and acknowledge each that gets a 2xx response")
    .action(async (options) => (await import("../commands/development.ts")).pull(options));
}
