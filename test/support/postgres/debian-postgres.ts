import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { startEmbeddedPostgres } from "../../../src/platform/postgres/embedded-postgres.ts";
import { query } from "../database.ts";

/** The directory of Debian's programs, in runs of `.ci/with-debian-postgres`. */
export const debianPrograms = process.env.DEBIAN_POSTGRES;

/** Starts a server of Debian's PostgreSQL as the user postgres. The cluster accepts any password. */
export const startDebianPostgres: typeof startEmbeddedPostgres = async ({ dataDir, settings = {} }) => {
  const cluster = join(dataDir, "postgres");
  const run = async (program: string, ...args: string[]) => {
    const asPostgres = ["--reuid=postgres", "--regid=postgres", "--init-groups"];
    await promisify(execFile)("setpriv", [...asPostgres, join(debianPrograms!, program), "-D", cluster, ...args]);
  };
  if (!existsSync(cluster)) {
    // The directories of a run are root's.
    await chmod(process.env.TEST_DIRECTORY!, 0o711);
    await chmod(dataDir, 0o711);
    await mkdir(cluster);
    await promisify(execFile)("chown", ["postgres", cluster]);
    await run("initdb", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8");
  }
  const all = { listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
  const flags = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`);
  await run("pg_ctl", "-w", "-l", join(cluster, "log"), "-o", flags.join(" "), "start");
  const url = (database: string) => `postgres://postgres@127.0.0.1:${settings.port}/${database}`;
  return {
    url,
    createDatabase: async (database) => void (await query(url("postgres"), `create database ${database}`)),
    stop: () => run("pg_ctl", "-m", "fast", "stop"),
  };
};
