import { Option, type Command } from "commander";
import { emailOption, jsonOption, RequiredOption, shopCommand } from "./options.ts";

const load = () => import("../commands/staff.ts");

export function addStaff(program: Command): void {
  const staff = program.command("staff").description("manage staff members");
  shopCommand(staff, "add", "add a staff member to a shop; asks for a password if the account is new")
    .addOption(emailOption())
    .addOption(new RequiredOption("--role <role>", "the role: OWNER, MANAGER, CLERK or VIEWER"))
    .option("--invite", "email an invitation, or print its link if email is off, instead of asking for a password")
    .addOption(
      new Option("--account <id>", "the ID of the account, if the email address already has one").conflicts("invite"),
    )
    .action(async (options) => (await load()).addStaff(options));
  shopCommand(staff, "list", "list the staff members of a shop")
    .addOption(jsonOption())
    .action(async (options) => (await load()).listStaff(options));
  shopCommand(staff, "remove", "remove a staff member from a shop; their account is kept")
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).removeStaff(options));
  addAccounts(staff);
}

function addAccounts(staff: Command): void {
  staff
    .command("password")
    .description("set a new password for an account and end all its sessions")
    .addOption(emailOption())
    .action(async ({ email }) => (await load()).setStaffPassword(email));
  staff
    .command("disable")
    .description("disable an account in all shops and end all its sessions")
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).disableStaff(options));
  staff
    .command("enable")
    .description("enable a disabled account")
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).enableStaff(options));
  staff
    .command("reset-second-factor")
    .description("turn off two-factor authentication for an account and end all its sessions")
    .addOption(emailOption())
    .addOption(jsonOption())
    .action(async (options) => (await load()).resetStaffSecondFactor(options));
}
