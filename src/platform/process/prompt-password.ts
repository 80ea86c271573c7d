import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { OperatorError } from "../errors.ts";

/**
 * Asks for a password: hidden on a terminal, otherwise one line of standard input.
 *
 * @throws OperatorError when nothing comes, or the operator presses Ctrl-C
 */
export function promptPassword(): Promise<string> {
  return process.stdin.isTTY ? promptHidden("Password: ") : readLine();
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

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new OperatorError("No password on standard input");
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
