import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { OperatorError } from "./errors.ts";

/** Reports a command's progress on standard error. */
export function progress(message: string): void {
  console.error(`› ${message}`);
}

/**
 * Asks for a password or another secret: hidden on a terminal, otherwise one line of standard input.
 *
 * @throws OperatorError when nothing comes, or the operator presses Ctrl-C
 */
export function promptPassword(name = "Password"): Promise<string> {
  return process.stdin.isTTY ? promptHidden(`${name}: `) : readLine(name);
}

/**
 * Asks for a new password in the same way, but twice on a terminal.
 *
 * @throws OperatorError when the two differ, nothing comes, or the operator presses Ctrl-C
 */
export async function readNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readLine();
  const password = await promptHidden("New password: ");
  if ((await promptHidden("Repeat the password: ")) === password) return password;
  throw new OperatorError("The passwords do not match");
}

async function readLine(name = "Password"): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new OperatorError(`No ${name.toLowerCase()} on standard input`);
}

async function promptHidden(question: string): Promise<string> {
  process.stderr.write(question);
  // Keeps line editing but shows nothing.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  const interrupted = Promise.withResolvers<never>();
  terminal.once("SIGINT", () => interrupted.reject(new OperatorError("Interrupted")));
  terminal.once("close", () => interrupted.reject(new OperatorError("No password was entered")));
  try {
    return await Promise.race([terminal.question(""), interrupted.promise]);
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

/** Refuses unknown values of an option, and names them. @throws OperatorError */
export function requireChoices<Choice extends string>(
  option: string,
  given: readonly string[],
  choices: readonly Choice[],
): asserts given is readonly Choice[] {
  const unknown = given.filter((value) => !choices.includes(value as Choice));
  if (unknown.length === 0) return;
  const named = unknown.map((value) => JSON.stringify(value)).join(", ");
  throw new OperatorError(
    `${option}: ${named} ${unknown.length === 1 ? "is not one of" : "are not among"} ${choices.join(", ")}`,
  );
}

const PARENT_CHECK = 500;

/** Resolves when the process is asked to end: Ctrl-C, SIGTERM, a closed terminal, or the end of `npm start`. */
export function shutdownSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    // npm runs a script through a shell that dies of SIGTERM without forwarding it, so the end of the shell counts as
    // the signal.
    if (process.env.npm_lifecycle_event === undefined) return;
    const shell = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === shell) return;
      clearInterval(watch);
      resolve();
    }, PARENT_CHECK);
    watch.unref();
  });
}
