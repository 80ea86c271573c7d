import type { Command } from "commander";
import { jsonOption, planOption, readList, RequiredOption, shopCommand, shopOption, trialOption } from "./options.ts";

const load = () => import("../commands/shops.ts");

export function addShops(program: Command): Command {
  const shops = program.command("shops").description("manage shops");
  shops
    .command("create")
    .description("create a shop and print its ID")
    .addOption(new RequiredOption("--name <name>", "the name of the shop"))
    .addOption(planOption())
    .addOption(new RequiredOption("--currency <code>", "a current ISO 4217 code, such as EUR"))
    .addOption(trialOption())
    .option("--prices-include-tax", "the prices of the shop's products include tax")
    .option("--cash-rounding <amount>", "the amount to whose multiples cash is rounded, such as 0.05")
    .option("--default-tax-rate <percent>", "the tax rate of sold lines that name none, such as 19")
    .action(async (options) => (await load()).createShop(options));
  shops
    .command("list")
    .description("list all shops with their plans")
    .addOption(jsonOption())
    .action(async (options) => (await load()).listShops(options));
  shopCommand(shops, "show", "show a shop, with the limits of its plan and their use")
    .addOption(jsonOption())
    .action(async (options) => (await load()).showShop(options));
  shopCommand(shops, "set-plan", "change the plan of a shop and print the effect on its keys and endpoints")
    .addOption(planOption())
    .addOption(trialOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).setPlan(options));
  shopCommand(shops, "extend-trial", "extend a trial, even one that has ended")
    .addOption(new RequiredOption("--until <time>", "when the trial ends, such as 2027-01-31"))
    .addOption(jsonOption())
    .action(async (options) => (await load()).extendTrial(options));
  addStates(shops);
  return shops;
}

function addStates(shops: Command): void {
  shopCommand(shops, "rename", "rename a shop")
    .addOption(new RequiredOption("--name <name>", "the new name"))
    .addOption(jsonOption())
    .action(async (options) => (await load()).renameShop(options));
  shopCommand(shops, "sandbox", "create a sandbox of a shop, which a worker fills, and print its ID")
    .option("--content <content>", "PRODUCTS (a copy of the shop's), SAMPLE or EMPTY", "PRODUCTS")
    .option("--reset", "replace the records of the sandbox that --shop names")
    .action(async (options) => (await load()).makeSandbox(options));
  shopCommand(shops, "close", "close a shop for a move: refuse all requests and pause deliveries")
    .addOption(jsonOption())
    .action(async (options) => (await load()).closeShop(options));
  shopCommand(shops, "open", "reopen a closed shop and send its pending deliveries")
    .addOption(jsonOption())
    .action(async (options) => (await load()).openShop(options));
  shops
    .command("move")
    .description("move an open shop to the database of another installation; can be repeated after an interruption")
    .requiredOption("--live", "keep the shop open; a closed shop moves by export and import")
    .addOption(shopOption())
    .addOption(new RequiredOption("--to <url>", "the connection string of the destination's database"))
    .option("--source <url>", "this database, as the destination's PostgreSQL reaches it (default: DATABASE_URL)")
    .option("--door <sockets...>", "the admin socket of each HAProxy in front, which holds the shop's requests", [])
    .option("--cells <names>", "the backends of the source and the destination there", "cell-a:cell-b")
    .option("--dry-run", "only check whether the shop can move")
    .option("--undo", "take an interrupted move back")
    .action(async (options) => (await import("../commands/move.ts")).moveShop(options));
  shopCommand(
    shops,
    "delete",
    "delete a closed shop and everything in it, for good; can be repeated after an interruption",
  )
    .addOption(new RequiredOption("--confirm <name>", "the name of the shop"))
    .addOption(jsonOption())
    .action(async (options) => (await load()).deleteShop(options));
}

const loadCustomers = () => import("../commands/customers.ts");
const customerOption = () => new RequiredOption("--customer <id>", "the ID of the customer");

export function addCustomers(program: Command): void {
  const customers = program.command("customers").description("manage the personal data of customers");
  shopCommand(customers, "erase", "replace the name, email address, phone number and note of a customer, for good")
    .addOption(customerOption())
    .option("--include-notes", "also erase the notes and reasons of their orders, refunds and store credit")
    .option("--forfeit-store-credit <amount>", "the customer's whole store credit, required unless it is 0")
    .addOption(jsonOption())
    .action(async (options) => (await loadCustomers()).eraseCustomer(options));
  shopCommand(customers, "export", "print all customers as CSV, or with --customer everything about one as JSON")
    .option("--customer <id>", "the ID of the customer")
    .action(async ({ shop, customer }) =>
      customer === undefined
        ? (await loadExports()).exportList("customers", { shop })
        : (await loadCustomers()).exportCustomer({ shop, customer }),
    );
  addImport(customers, "CUSTOMERS");
}

const loadImports = () => import("../commands/imports.ts");

function addImport(parent: Command, kind: "PRODUCTS" | "CUSTOMERS"): void {
  const records = kind.toLowerCase();
  const command = parent
    .command("import")
    .argument("<file>", "the CSV file")
    .description(`check a CSV file of ${records}, print its problems, import it and print a report`)
    .addOption(shopOption())
    .option("--existing <how>", `for existing ${records}: LEAVE, UPDATE or STOP`, "LEAVE")
    .option("--no-webhooks", "emit no events")
    .option("--yes", "import the other records if some have problems")
    .option("--strict", "exit with code 1 if a record was left out or refused")
    .option("--encoding <name>", "the encoding, such as UTF-8 or Windows-1250 (default: recognized)")
    .option("--source <system>", "SHOPIFY, SQUARE, WOOCOMMERCE, MERCHANT_API or OTHER (default: recognized)")
    .option("--column <field=name>", "the column of a field, such as sku=Code; can be repeated", readList)
    .option("--empty-cells <how>", "what empty cells do to existing records: LEAVE or CLEAR", "LEAVE")
    .addOption(jsonOption())
    .action(async (file, options) => (await loadImports()).importFile(kind, file, options));
  if (kind === "CUSTOMERS") return;
  command
    .option("--stock <how>", "for the stock of existing variants: LEAVE or SET", "LEAVE")
    .option("--tax <how>", "tax in the prices, which is a setting of the shop: INCLUDED or EXCLUDED")
    .option("--decimal-mark <mark>", "the decimal mark of prices: POINT or COMMA (default: recognized)");
}

const loadExports = () => import("../commands/exports.ts");

export function addLists(program: Command): void {
  for (const list of ["products", "orders"] as const) {
    const parent = program
      .command(list)
      .description(list === "products" ? "import and export products" : "export orders");
    if (list === "products") addImport(parent, "PRODUCTS");
    shopCommand(parent, "export", `print all ${list} as CSV`).action(async (options) =>
      (await loadExports()).exportList(list, options),
    );
  }
}

const loadKeys = () => import("../commands/keys.ts");

export function addKeys(program: Command): void {
  const keys = program.command("keys").description("manage API keys");
  shopCommand(keys, "create", "create an API key and print its secret, which is shown only once")
    .addOption(new RequiredOption("--name <name>", "a name for the key, such as ERP"))
    .addOption(
      new RequiredOption("--scope <scope,scope…>", "scopes, such as read_products,read_orders").argParser<string[]>(
        readList,
      ),
    )
    .option("--expires <time>", "when the key expires, such as 2027-01-31 (default: never)")
    .option("--allow <address,address…>", "addresses and networks that may use the key (default: any)", readList)
    .action(async (options) => (await loadKeys()).createKey(options));
  shopCommand(keys, "list", "list the API keys of a shop, without their secrets")
    .addOption(jsonOption())
    .action(async (options) => (await loadKeys()).listKeys(options));
  shopCommand(keys, "revoke", "revoke an API key, within a second")
    .addOption(new RequiredOption("--key <id>", "the ID of the key, from keys list"))
    .addOption(jsonOption())
    .action(async (options) => (await loadKeys()).revokeKey(options));
}
