import "reflect-metadata";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Context } from "mocha";
import { startEmbeddedPostgres } from "../../src/platform/postgres/embedded-postgres.ts";
import { runCommand } from "./programs/command.ts";
import { endRun } from "./at-end.ts";
import { closeTemplate, createTemplate, dropDatabases, isCluster, query } from "./database.ts";
import { eventually } from "./eventually.ts";
import { isAlive } from "./programs/is-alive.ts";
import { buildProgram } from "./programs/program.ts";
import { announceCatalog } from "./tenancy/catalog.ts";
import { findUnusedExceptions, appendUsedExceptions } from "./tenancy/unused-exceptions.ts";

const givenServer = process.env.TEST_DATABASE_URL;

/**
 * Starts one PostgreSQL for the run, with a migrated database that each test file clones, and builds the program and
 * its pages. Test files may run in separate processes, which find everything in the environment.
 */
export async function mochaGlobalSetup(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "merchant-api-test-"));
  process.env.TEST_DIRECTORY = directory;
  process.env.TEST_RUN = randomBytes(4).toString("hex");
  process.env.NODE_COMPILE_CACHE = join(directory, "compiled");
  // Ctrl-C ends mocha without its teardown, and may come more than once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end());
  [process.env.TEST_PROGRAM, process.env.TEST_DATABASE_URL] = await Promise.all([
    buildProgram(join(directory, "program")),
    givenServer ?? startServer(join(directory, "server")),
    promisify(execFile)(process.execPath, ["scripts/finish-build.ts"]),
  ]);
  const template = await createTemplate();
  const commands = (await isCluster()) ? ["migrate", "distribute"] : ["migrate"];
  for (const command of commands) {
    const { code, stderr } = await runCommand([command], { DATABASE_URL: template });
    if (code !== 0) throw new Error(stderr);
  }
  // Migrations leave some, which would run beside those of tests.
  await query(template, "delete from graphile_worker._private_jobs");
  await announceCatalog(template);
  await closeTemplate();
}

/** Checks that each statement of a test file is limited to one shop. */
export const mochaHooks = {
  async beforeAll() {
    const { watchStatements } = await watch();
    await watchStatements();
    const seed = process.env.FAST_CHECK_SEED;
    if (seed) (await import("fast-check")).configureGlobal({ seed: Number(seed) });
  },
  async beforeEach(this: Context) {
    const { whySkipped } = await import("./cluster-skips.ts");
    if (await whySkipped(this.currentTest!.fullTitle())) this.skip();
  },
  async afterAll(this: Context) {
    const { takeFaults, takeUsedExceptions } = await watch();
    await appendUsedExceptions(this.test!.parent!, takeUsedExceptions());
    const faults = takeFaults();
    if (faults.length > 0) throw new Error(faults.join("\n\n"));
  },
};

// Imported late: mocha requires this file before the tests, so a static import would load classes that no test uses.
const watch = () => import("./tenancy/watch.ts");

/** Stops every PostgreSQL in the run's directory, because interrupted tests leave theirs running. */
export async function mochaGlobalTeardown(): Promise<void> {
  const directory = process.env.TEST_DIRECTORY!;
  if (!isEnding) await endRun();
  const unused = await findUnusedExceptions();
  for await (const file of glob(join(directory, "*/postgres/postmaster.pid"))) {
    const pid = Number((await readFile(file, "utf8")).split("\n")[0]);
    // A crashed server leaves this file.
    if (isAlive(pid)) process.kill(pid, "SIGINT");
    await eventually(
      () => isAlive(pid),
      (alive) => !alive,
    );
  }
  if (givenServer) await dropDatabases();
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  if (unused.length > 0) throw new Error(`No statement needs these exceptions any more:\n${unused.join("\n")}`);
}

let isEnding = false;
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await mochaGlobalTeardown().catch(console.error);
  process.exit(130);
}

async function startServer(dataDir: string): Promise<string> {
  const settings = {
    // Tests need no durability, which would only cost time.
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    // Several test files run at once, each with servers and workers with pools.
    max_connections: "300",
  };
  const server = await startEmbeddedPostgres({ dataDir, settings });
  return server.url("postgres");
}
