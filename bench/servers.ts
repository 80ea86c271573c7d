import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** One of the two that are compared, in a process of its own. */
export interface Contestant {
  name: "baseline" | "ours";
  /** Such as `http://127.0.0.1:41234`. */
  url: string;
  stop: () => Promise<void>;
}

/** @throws when the process ends before it listens */
export async function startContestant(
  name: Contestant["name"],
  options: { databaseUrl: string; nodeFlags?: string[] },
): Promise<Contestant> {
  const child = fork(join(import.meta.dirname, `${name}.js`), {
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: options.databaseUrl },
    // Both run with the flags that this process was started with, which are those of `npm start`.
    execArgv: [...process.execArgv, ...(options.nodeFlags ?? [])],
    // Log lines are written, as in production, but not kept.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const port = await firstMessage(child);
  return { name, url: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(() => {
    throw new Error("A server ended before it listened.");
  });
  const [message] = await Promise.race([once(child, "message"), ended]);
  ended.catch(() => undefined);
  return message;
}

/** The channel is what keeps the process: it ends with ours, however ours ends. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

/** In the child: tells the port, and ends when the parent lets go. */
export function announce(port: number): void {
  process.once("disconnect", () => process.exit(0));
  process.send!(port);
}
