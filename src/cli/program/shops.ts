import type { Command } from "commander";
import { jsonOption, planOption, RequiredOption, shopOption, trialOption } from "./options.ts";

const load = () => import("../commands/shops.ts");

export function addShops(program: Command): void {
  const shops = program.command("shops").description("manage shops");
  shops
    .command("create")
    .description("create a shop and print its id")
    .addOption(new RequiredOption("--name <name>", "as its staff sees it"))
    .addOption(planOption())
    .addOption(new RequiredOption("--currency <code>", "a current code of ISO 4217, such as EUR"))
    .addOption(trialOption())
    .action(async (options) => (await load()).createShop(options));
  shops
    .command("list")
    .description("print every shop, with its plan")
    .addOption(jsonOption())
    .action(async (options) => (await load()).listShops(options));
  shops
    .command("show")
    .description("print a shop, and what it has of what its plan allows")
    .addOption(shopOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).showShop(options));
  shops
    .command("set-plan")
    .description("change a shop's plan, and print the effect on its keys and endpoints")
    .addOption(shopOption())
    .addOption(planOption())
    .addOption(trialOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).setPlan(options));
  shops
    .command("extend-trial")
    .description("let a trial end later, also one that is over")
    .addOption(shopOption())
    .addOption(new RequiredOption("--until <instant>", "ISO 8601, such as 2027-01-31"))
    .addOption(jsonOption())
    .action(async (options) => (await load()).extendTrial(options));
  addStates(shops);
}

function addStates(shops: Command): void {
  shops
    .command("rename")
    .description("give a shop another name")
    .addOption(shopOption())
    .addOption(new RequiredOption("--name <name>", "the new name"))
    .addOption(jsonOption())
    .action(async (options) => (await load()).renameShop(options));
  shops
    .command("close")
    .description("refuse keys, services and staff, and send nothing, so that the shop can move")
    .addOption(shopOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).closeShop(options));
  shops
    .command("open")
    .description("open a shop again that was closed, and send what waited")
    .addOption(shopOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).openShop(options));
}
