import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";

// Reads /proc, which only Linux has. Elsewhere the figures are left out.

/** Milliseconds of a clock tick of /proc (proc_pid_stat(5)), the same on all common architectures. */
const TICK = 10;

interface ProcessTimes {
  parent: number;
  /** The CPU time of the process, and of its children that have ended. Milliseconds. */
  own: number;
  ended: number;
}

/** The CPU time of a process in milliseconds. Undefined if it is unknown. */
export function cpuOf(pid: number): number | undefined {
  return timesOf(pid)?.own;
}

/** The CPU time of PostgreSQL, with all of its processes, in milliseconds. Undefined if it is unknown. */
export function cpuOfPostgres(postmaster: number | undefined): number | undefined {
  const main = postmaster === undefined ? undefined : timesOf(postmaster);
  if (!main) return undefined;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => timesOf(Number(name)))
    .filter((times) => times?.parent === postmaster);
  return children.reduce((sum, times) => sum + times!.own, main.own + main.ended);
}

/** The main process of PostgreSQL. Undefined if it runs on another machine or in another container. */
export async function findPostmaster(databaseUrl: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("select pg_backend_pid() as pid, current_database() as name");
    const [{ pid, name }] = rows;
    // The title of a backend names its database, so another process with the same number is not mistaken for it.
    return readProc(pid, "cmdline")?.includes(name) ? timesOf(pid)?.parent : undefined;
  } finally {
    await client.end();
  }
}

/** The resident memory of a process in MB. Undefined if it is unknown. */
export function megabytesOf(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readProc(pid, "status") ?? "")?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
}

function timesOf(pid: number): ProcessTimes | undefined {
  const stat = readProc(pid, "stat");
  if (stat === undefined) return undefined;
  // The name in parentheses may contain spaces. The state follows, which is field 3.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return { parent: field(4), own: (field(14) + field(15)) * TICK, ended: (field(16) + field(17)) * TICK };
}

/** Undefined without /proc, and for a process that has ended. */
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}
