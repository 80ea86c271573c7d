import type { HeapProfiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { serve, startHelper } from "./helper.ts";

/** The mean distance between two allocations that a heap profile records, in bytes. */
const SAMPLED = 8_192;

/** A server in its own process. */
export interface Contestant {
  name: "baseline" | "ours";
  pid: number;
  /** Such as `http://127.0.0.1:41234`. */
  url: string;
  /** Does the work, and returns the bytes that the server allocated for it. */
  allocatedDuring: (work: () => Promise<void>) => Promise<number>;
  stop: () => Promise<void>;
}

interface Commands extends Record<string, (...parameters: never[]) => unknown> {
  where: () => { pid: number; port: number };
  beginHeapProfile: () => Promise<void>;
  endHeapProfile: () => Promise<number>;
}

/** @throws when the process ends before it listens */
export async function startContestant(name: Contestant["name"], databaseUrl: string): Promise<Contestant> {
  const env = { DATABASE_URL: databaseUrl };
  const { ask, stop } = await startHelper<Commands>(name, env);
  const { pid, port } = await ask("where");
  const allocatedDuring = async (work: () => Promise<void>) => {
    await ask("beginHeapProfile");
    await work();
    return ask("endHeapProfile");
  };
  return { name, pid, url: `http://127.0.0.1:${port}`, allocatedDuring, stop };
}

/** In the server: reports the port and allocations to the parent, and ends when the parent disconnects. */
export function announce(port: number): void {
  const session = new Session();
  session.connect();
  const commands: Commands = {
    where: () => ({ pid: process.pid, port }),
    beginHeapProfile: () =>
      session.post("HeapProfiler.startSampling", {
        samplingInterval: SAMPLED,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      }),
    endHeapProfile: async () => sizeOf((await session.post("HeapProfiler.stopSampling")).profile.head),
  };
  serve(commands);
}

const sizeOf = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  children.reduce((sum, child) => sum + sizeOf(child), selfSize);
