import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { error, unknown, warning, type Finding } from "./check.ts";

/** What a worker needs that sends to as many endpoints as it can. */
const DESCRIPTORS = 7_000;
const MEBIBYTE = 1024 ** 2;

/** Finds a low limit of open files and connections of this process. Also printed at each start. */
export function checkDescriptors(): Finding[] {
  // Otherwise the report looks up the names of connected addresses, and waits for them.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { soft: number | string } } };
  const limit = Number(userLimits?.open_files.soft);
  // "unlimited" is not a number.
  if (!(limit < DESCRIPTORS)) return [];
  const finding = `A process may open only ${limit} files and connections, and a worker needs up to ${DESCRIPTORS}`;
  return [warning(finding, "Raise LimitNOFILE in systemd, or ulimit -n")];
}

/** Finds secrets and data that other users of this machine can open. */
export async function checkDataDir({ dataDir }: Pick<Config, "dataDir">): Promise<Finding[]> {
  const names = ["encryption-key", "postgres-password", "demo.json", "postgres", "mail"];
  const findings = names.map(async (name) => {
    const path = join(dataDir, name);
    const { mode } = await stat(path).catch(() => ({ mode: 0 }));
    return (mode & 0o077) === 0 ? [] : [error(`Other users can open ${path}`, `Run: chmod go= ${path}`)];
  });
  return (await Promise.all(findings)).flat();
}

/** Finds a disk with less free space than `least`, in MiB. */
export async function checkDisk({ database, dataDir }: Pick<Config, "database" | "dataDir">, least = 1_024) {
  if (database.kind === "server") return [unknown("The free disk of a PostgreSQL server cannot be read", "Monitor it")];
  const { bavail, bsize } = await statfs(dataDir);
  const free = Math.floor((bavail * bsize) / MEBIBYTE);
  return free < least ? [warning(`The disk of ${dataDir} has ${free} MiB left`, "Free some space")] : [];
}
