import { serve, startHelper } from "./helper.ts";

/** A server in its own process. */
export interface Contestant {
  name: "baseline" | "ours";
  pid: number;
  /** Such as `http://127.0.0.1:41234`. */
  url: string;
  stop: () => Promise<void>;
}

/** @throws when the process ends before it listens */
export async function startContestant(name: Contestant["name"], databaseUrl: string): Promise<Contestant> {
  const env = { DATABASE_URL: databaseUrl };
  const { ask, stop } = await startHelper<{ where: () => { pid: number; port: number } }>(name, env);
  const { pid, port } = await ask("where");
  return { name, pid, url: `http://127.0.0.1:${port}`, stop };
}

/** In the server: reports the port to the parent, and ends when the parent disconnects. */
export function announce(port: number): void {
  serve({ where: () => ({ pid: process.pid, port }) });
}
