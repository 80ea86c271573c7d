import { enableCompileCache } from "node:module";
import { Command, Option } from "commander";
import { explain } from "./cli/explain.ts";
import { version } from "./platform/version.ts";

// A start loads two thousand modules, and need not compile those that it has compiled before.
enableCompileCache();

const JSON_OPTION = ["--json", "print one JSON document, for scripts"] as const;

// Commands are loaded when they are called: the application takes a second or two.
const program = new Command("merchant-api")
  .description("The retail back-end that a shop's other systems talk to.")
  .version(version, "--version", "print the version")
  .addHelpText("after", "\nConfiguration comes from the environment: see the README.")
  .helpCommand(false)
  .showHelpAfterError("(--help lists what there is)");

program
  .command("serve")
  .description("run the API, GraphQL and the worker in one process; migrates first")
  .action(async () => (await import("./cli/commands/serve.ts")).serve({ api: true, worker: true }));
program
  .command("api")
  .description("run the API and GraphQL alone")
  .action(async () => (await import("./cli/commands/serve.ts")).serve({ api: true, worker: false }));
program
  .command("worker")
  .description("run the worker alone, which sends webhooks and purges what is old")
  .action(async () => (await import("./cli/commands/serve.ts")).serve({ api: false, worker: true }));
program
  .command("migrate")
  .description("bring the database up to date")
  .option("--status", "only print what is applied and what waits; the exit code is 2 when something does")
  .addOption(new Option(...JSON_OPTION).implies({ status: true }))
  .action(async (options) => (await import("./cli/commands/migrate.ts")).migrate(options));
program
  .command("demo")
  .description("make the demo shops and write their keys to DATA_DIR/demo.json")
  .action(async () => (await import("./cli/commands/demo.ts")).makeDemo());

const shops = program.command("shops").description("manage shops");
shops
  .command("create")
  .description("create a shop and print its id")
  .requiredOption("--name <name>")
  .requiredOption("--plan <plan>", "GROWTH, ENTERPRISE, TRIAL or NONE")
  .requiredOption("--currency <code>", "a current code of ISO 4217, such as EUR; its decimals stay the shop's")
  .option("--trial-ends <instant>", "ISO 8601, for a trial")
  .action(async (options) => (await import("./cli/commands/shops.ts")).createShop(options));

shops
  .command("list")
  .description("print every shop, with its plan")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/shops.ts")).listShops(options));
shops
  .command("show")
  .description("print a shop, and what it has of what its plan allows")
  .requiredOption("--shop <id>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/shops.ts")).showShop(options));
shops
  .command("set-plan")
  .description("give a shop another plan, and print what becomes of its keys and endpoints")
  .requiredOption("--shop <id>")
  .requiredOption("--plan <plan>", "GROWTH, ENTERPRISE, TRIAL or NONE")
  .option("--trial-ends <instant>", "ISO 8601, for a trial")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/shops.ts")).setPlan(options));
shops
  .command("extend-trial")
  .description("let a trial end later, also one that is over")
  .requiredOption("--shop <id>")
  .requiredOption("--until <instant>", "ISO 8601, such as 2027-01-31")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/shops.ts")).extendTrial(options));
shops
  .command("rename")
  .description("give a shop another name")
  .requiredOption("--shop <id>")
  .requiredOption("--name <name>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/shops.ts")).renameShop(options));
shops
  .command("close")
  .description("refuse keys, services and staff, and send nothing, so that the shop can move")
  .requiredOption("--shop <id>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/shops.ts")).closeShop(options));
shops
  .command("open")
  .description("open a shop again that was closed, and send what waited")
  .requiredOption("--shop <id>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/shops.ts")).openShop(options));

const keys = program.command("keys").description("manage API keys");
keys
  .command("create")
  .description("create an API key and print its secret, this once")
  .requiredOption("--shop <id>")
  .requiredOption("--name <name>")
  .requiredOption("--scope <scope...>", "such as read_products; may be repeated")
  .action(async (options) => (await import("./cli/commands/keys.ts")).createKey(options));

keys
  .command("list")
  .description("print the API keys of a shop, without their secrets")
  .requiredOption("--shop <id>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/keys.ts")).listKeys(options));
keys
  .command("revoke")
  .description("end an API key for good, everywhere within a second")
  .requiredOption("--shop <id>")
  .requiredOption("--key <id>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/keys.ts")).revokeKey(options));

const staff = program.command("staff").description("manage the people who work in shops");
staff
  .command("add")
  .description("make somebody a member of a shop; asks for the password of a new account")
  .requiredOption("--shop <id>")
  .requiredOption("--email <address>")
  .requiredOption("--role <role>", "OWNER, MANAGER, CLERK or VIEWER")
  .option("--invite", "mail, or else print, a link to join with, instead of asking for a password")
  .addOption(new Option("--account <id>", "add this account, which the address has already").conflicts("invite"))
  .action(async (options) => (await import("./cli/commands/staff.ts")).addStaff(options));
staff
  .command("password")
  .description("set a new password and end all sessions")
  .requiredOption("--email <address>")
  .action(async ({ email }) => (await import("./cli/commands/staff.ts")).setStaffPassword(email));
staff
  .command("list")
  .description("print the members of a shop")
  .requiredOption("--shop <id>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/staff.ts")).listStaff(options));
staff
  .command("remove")
  .description("end somebody's membership of a shop; their account stays")
  .requiredOption("--shop <id>")
  .requiredOption("--email <address>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/staff.ts")).removeStaff(options));
staff
  .command("disable")
  .description("keep somebody out of every shop, and end all sessions")
  .requiredOption("--email <address>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/staff.ts")).disableStaff(options));
staff
  .command("enable")
  .description("let somebody in again whose account was disabled")
  .requiredOption("--email <address>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/staff.ts")).enableStaff(options));

program
  .command("deliveries")
  .description("look at the deliveries of webhooks")
  .command("stats")
  .description("print what waits and what failed, and since when the oldest is due, by shop and health of endpoints")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/deliveries.ts")).printDeliveryStats(options));

staff
  .command("reset-second-factor")
  .description("turn off the second factor of somebody who has lost it, and end all sessions")
  .requiredOption("--email <address>")
  .option(...JSON_OPTION)
  .action(async (options) => (await import("./cli/commands/staff.ts")).resetStaffSecondFactor(options));

const secrets = program.command("secrets").description("manage the encryption of stored secrets");
secrets
  .command("reseal")
  .description("encrypt stored secrets under the first of ENCRYPTION_KEYS, beside a running service")
  .action(async () => (await import("./cli/commands/secrets.ts")).reseal());

program
  .command("export")
  .description("write a closed shop, with all its secrets, so that another installation can import it")
  .requiredOption("--shop <id>")
  .option("--file <path>", "a new file, for its owner alone; standard output by default")
  .action(async (options) => (await import("./cli/commands/move.ts")).exportShop(options));
program
  .command("import")
  .description("take in a shop that another installation exported, open it, and print its id")
  .option("--file <path>", "standard input by default")
  .action(async (options) => (await import("./cli/commands/move.ts")).importShop(options));

program
  .command("openapi")
  .description("print the OpenAPI document")
  .action(async () => (await import("./cli/commands/openapi.ts")).printOpenapi());
program
  .command("listen")
  .description("receive a shop's webhooks here and print them: the demo shop's, or with --email one of your own")
  .option("--port <port>")
  .option("--topics <topic,topic…>", "all by default")
  .option("--forward-to <url>", "send them on, and answer as it does")
  .option("--shop <id>")
  .option("--email <address>", "ask for this member's password, and listen to a shop of theirs at BASE_URL")
  .option("--code <code>", "of the member's second factor, where they have one")
  .action(async (options) => (await import("./cli/commands/listen.ts")).listen(options));

program.parseAsync().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});
