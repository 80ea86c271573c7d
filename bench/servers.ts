import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A server in its own process. */
export interface Contestant {
  name: "baseline" | "limit" | "ours";
  pid: number;
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
    // All servers run with this process's flags, which are those of `npm start`.
    execArgv: [...process.execArgv, ...(options.nodeFlags ?? [])],
    // Log lines are written, as in production, but discarded.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const port = await firstMessage(child);
  return { name, pid: child.pid!, url: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(() => {
    throw new Error("A server ended before it listened.");
  });
  const [message] = await Promise.race([once(child, "message"), ended]);
  ended.catch(() => undefined);
  return message;
}

/** The channel keeps the process alive, so it ends with its parent in any case. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

/** In the child: sends the port to the parent, and ends when the parent disconnects. */
export function announce(port: number): void {
  process.once("disconnect", () => process.exit(0));
  process.send!(port);
}
