import type { Command } from "commander";
import { jsonOption, readList, RequiredOption, shopOption } from "./options.ts";

const load = () => import("../commands/keys.ts");

export function addKeys(program: Command): void {
  const keys = program.command("keys").description("manage API keys");
  keys
    .command("create")
    .description("create an API key and print its secret, which is shown only once")
    .addOption(shopOption())
    .addOption(new RequiredOption("--name <name>", "a name for the key, such as ERP"))
    .addOption(
      new RequiredOption("--scope <scope,scope…>", "scopes, such as read_products,read_orders").argParser<string[]>(
        readList,
      ),
    )
    .action(async (options) => (await load()).createKey(options));
  keys
    .command("list")
    .description("list the API keys of a shop, without their secrets")
    .addOption(shopOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).listKeys(options));
  keys
    .command("revoke")
    .description("revoke an API key, within a second")
    .addOption(shopOption())
    .addOption(new RequiredOption("--key <id>", "the ID of the key, from keys list"))
    .addOption(jsonOption())
    .action(async (options) => (await load()).revokeKey(options));
}
