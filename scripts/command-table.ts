import type { Command, Option } from "commander";
import { RequiredOption } from "../src/cli/program/options.ts";
import { createProgram } from "../src/cli/program/program.ts";
import { replaceGenerated } from "./generated-part.ts";

/** Returns docs/cli.md with its table generated from the commands. */
export function insertCommands(page: string): string {
  const rows = commandsBelow(createProgram(), []).map(describeCommand);
  return replaceGenerated(page, `| command | options | does |\n|---|---|---|\n${rows.join("\n")}\n`);
}

interface Named {
  name: string;
  command: Command;
}

/** The executable commands below `parent`, with their full names. */
function commandsBelow(parent: Command, names: string[]): Named[] {
  return parent.commands.flatMap((command) => {
    const path = [...names, command.name()];
    return command.commands.length > 0 ? commandsBelow(command, path) : [{ name: path.join(" "), command }];
  });
}

function describeCommand({ name, command }: Named): string {
  const options = command.options.filter(({ long }) => long !== "--json").map(describeOption);
  const words = [name, ...command.registeredArguments.map((argument) => `<${argument.name()}>`)].join(" ");
  return `| \`${words}\` | ${options.join(" ")} | ${command.description()} |`;
}

function describeOption(option: Option): string {
  const flag = `\`${option.long}\``;
  return option instanceof RequiredOption ? `**${flag}**` : flag;
}
