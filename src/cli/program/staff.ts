import { Option, type Command } from "commander";
import { emailOption, jsonOption, RequiredOption, shopOption } from "./options.ts";

const load = () => import("../commands/staff.ts");

export function addStaff(program: Command): void {
  const staff = program.command("staff").description("manage the people who work in shops");
  staff
    .command("add")
    .description("make somebody a member of a shop; asks for the password of a new account")
    .addOption(shopOption())
    .addOption(emailOption())
    .addOption(new RequiredOption("--role <role>", "OWNER, MANAGER, CLERK or VIEWER"))
    .option("--invite", "mail, or else print, a link to join with, instead of asking for a password")
    .addOption(new Option("--account <id>", "add this account, which the address has already").conflicts("invite"))
    .action(async (options) => (await load()).addStaff(options));
  staff
    .command("list")
    .description("print the members of a shop")
    .addOption(shopOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).listStaff(options));
  staff
    .command("remove")
    .description("end somebody's membership of a shop; their account stays")
    .addOption(shopOption())
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).removeStaff(options));
  addAccounts(staff);
}

function addAccounts(staff: Command): void {
  staff
    .command("password")
    .description("set a new password and end all sessions")
    .addOption(emailOption())
    .action(async ({ email }) => (await load()).setStaffPassword(email));
  staff
    .command("disable")
    .description("keep somebody out of every shop, and end all sessions")
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).disableStaff(options));
  staff
    .command("enable")
    .description("let somebody in again whose account was disabled")
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).enableStaff(options));
  staff
    .command("reset-second-factor")
    .description("turn off the second factor of somebody who has lost it, and end all sessions")
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).resetStaffSecondFactor(options));
}
