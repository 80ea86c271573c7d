import { type Command, InvalidArgumentError, Option } from "commander";

/** A required option. All missing ones are reported in one error; commander reports its own one at a time. */
export class RequiredOption extends Option {
  constructor(flags: string, description: string) {
    super(flags, `${description} (required)`);
  }
}

/** Refuses a command that lacks required options, and names all of them. */
export function refuseIncomplete(command: Command): void {
  const isMissing = (option: Option) =>
    option instanceof RequiredOption && command.getOptionValue(option.attributeName()) === undefined;
  const missing = command.options.filter(isMissing).map(({ flags }) => flags);
  if (missing.length > 0) command.error(`error: missing options: ${missing.join(", ")}`);
}

export const jsonOption = () => new Option("--json", "print the result as JSON");
export const shopOption = () => new RequiredOption("--shop <id>", "the ID of the shop, from shops list");
export const emailOption = () => new RequiredOption("--email <address>", "the email address of the account");
export const planOption = () => new RequiredOption("--plan <plan>", "the plan: GROWTH, ENTERPRISE, TRIAL or NONE");
export const trialOption = () =>
  new Option("--trial-ends <time>", "when the trial ends, such as 2027-01-31; required for TRIAL");

/** Adds a command for one shop. */
export const shopCommand = (parent: Command, name: string, description: string) =>
  parent.command(name).description(description).addOption(shopOption());

/** Parses a comma-separated list. The option may be repeated. */
export function readList(text: string, earlier: string[] = []): string[] {
  return [...earlier, ...text.split(",").map((item) => item.trim())];
}

const wholeNumber = (most: number) => (text: string) => {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
};

/** Parses a TCP port. */
export const readPort = wholeNumber(65_535);
/** Parses a time of up to a day, in seconds. */
export const readSeconds = wholeNumber(86_400);
