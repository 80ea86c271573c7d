import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The time-out of an answer. Milliseconds. */
const PATIENCE = 600_000;

/** The commands of a helper process. */
type Commands = Record<string, (...parameters: never[]) => unknown>;

/** A separate process that runs commands. */
export interface Helper<Known extends Commands> {
  ask: <Name extends keyof Known & string>(
    name: Name,
    ...parameters: Parameters<Known[Name]>
  ) => Promise<Awaited<ReturnType<Known[Name]>>>;
  stop: () => Promise<void>;
}

interface Answer {
  id: number;
  result?: unknown;
  error?: string;
}

/** Starts a program by its path in `bench`, such as `webhooks/loop`, and waits until it serves. */
export async function startHelper<Known extends Commands>(
  name: string,
  env: Record<string, string> = {},
): Promise<Helper<Known>> {
  const child = fork(join(import.meta.dirname, `${name}.js`), {
    env: { ...process.env, NODE_ENV: "production", ...env },
    // Log lines are written, as in production, but discarded.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<unknown>();
  waiting.set(0, ready);
  child.on("message", ({ id, result, error }: Answer) => {
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(`${name}: ${error}`));
    waiting.delete(id);
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error(`The ${name} ended.`));
  });
  await ready.promise;
  let asked = 0;
  return {
    ask: (command, ...parameters) => {
      const answer = Promise.withResolvers<unknown>();
      asked += 1;
      waiting.set(asked, answer);
      child.send({ id: asked, command, parameters });
      const timer = setTimeout(() => answer.reject(new Error(`${name}: no answer to ${command} in time`)), PATIENCE);
      void answer.promise.finally(() => clearTimeout(timer)).catch(() => undefined);
      return answer.promise as ReturnType<Helper<Known>["ask"]>;
    },
    // The channel keeps the process alive, so it ends with its parent in any case.
    stop: async () => {
      if (!child.connected) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/** In the helper: runs the parent's commands, and ends when the parent disconnects. */
export function serve(commands: Commands): void {
  process.once("disconnect", () => process.exit(0));
  process.on("message", async ({ id, command, parameters }: { id: number; command: string; parameters: never[] }) => {
    try {
      process.send!({ id, result: await commands[command]!(...parameters) });
    } catch (error) {
      process.send!({ id, error: (error as Error).stack });
    }
  });
  process.send!({ id: 0 });
}

/** Milliseconds on a clock that all processes of this machine share. */
export function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
