import { describe } from "../../health/check.ts";
import { OperatorError } from "../../platform/errors.ts";
import { progress } from "../../platform/terminal.ts";
import { runOnce, refuseUnready } from "../open-app.ts";
import { migrations } from "../../../migrations/index.ts";
import type { App } from "../../app.ts";
import { listMigrations, namesOf } from "../../platform/postgres/schema-version.ts";
import { printRows, type OutputOptions } from "../output.ts";
import { asOperator } from "../../core/access/operation.ts";
import { operator } from "../../core/access/actor.ts";
import { resealSecondFactors } from "../../core/staff/second-factor/totp.ts";
import { resealSecrets } from "../../core/webhooks/endpoints/reseal-secrets.ts";
import { requireShop } from "../../core/shops/shops.ts";
import { checkReceiver as check } from "../../core/webhooks/checks/check-receiver.ts";
import { measureDeliveries } from "../../core/webhooks/health/measure-deliveries.ts";

/** Distributes the database over the nodes of its cluster, or prints the statements. */
export function distribute({ dryRun }: { dryRun?: true }): Promise<void> {
  return runOnce(async (app) => {
    const schema = (await app.findProblems()).find(({ part }) => part === "schema");
    if (schema) throw new OperatorError(describe(schema));
    const statements = await app.distribute({ dryRun, onProgress: progress });
    if (dryRun) for (const statement of statements) console.log(`${statement};`);
    if (statements.length === 0) progress("Every table is distributed already");
    else if (!dryRun) progress("The tables are distributed");
  });
}

/** The exit code when migrations are pending. 1 means an error. */
const WAITING = 2;

/** Migrates the database, or prints the status of its migrations. `wait`: the seconds to wait for the database. */
export function migrate({ status, wait, ...output }: OutputOptions & { status?: true; wait: number }): Promise<void> {
  const list = ({ core }: App) => listMigrations(core.orm.em.getKysely(), migrations);
  const work = async (app: App) => {
    const states = await list(app);
    const waiting = namesOf(states, "WAITING");
    if (status) {
      printRows(states, output);
      if (waiting.length > 0) process.exitCode = WAITING;
      return;
    }
    await app.migrate();
    const applied = waiting.length === 1 ? "1 migration" : `${waiting.length} migrations`;
    progress(waiting.length === 0 ? "Already up to date" : `Applied ${applied}: ${waiting.join(", ")}`);
  };
  return runOnce(work, "database", { patience: status ? undefined : wait });
}

/** Encrypts all stored secrets with the first encryption key. */
export function reseal(): Promise<void> {
  return runOnce(async (app) => {
    await refuseUnready(app);
    const services = { ...app.core, em: app.core.orm.em };
    const { resealed, cleared } = await resealSecrets(services, operator);
    const factors = await resealSecondFactors(services);
    const [name] = app.core.encryption.keyNames;
    console.log(`Secrets encrypted with ${name}: ${resealed + factors}. Expired secrets deleted: ${cleared}`);
  }, "secrets");
}

/** Prints figures of each shop's deliveries. */
export function printDeliveryStats(output: OutputOptions): Promise<void> {
  return runOnce(async ({ core }) => printRows(await measureDeliveries(core.orm.em), output));
}

/** Lets a worker check the receiver of an endpoint. The exit code is 2 unless it passes all checks. */
export function checkReceiver(options: OutputOptions & { shop: string; endpoint: string }): Promise<void> {
  return runOnce(async ({ core: { orm, arrivals } }) => {
    const operation = { ...asOperator(orm.em, options.shop), shop: await requireShop(orm.em, options.shop) };
    const results = await check(operation, options.endpoint, { arrivals, rest: (work) => work(new Promise(() => {})) });
    const rows = results.map(({ check: name, isRun, isPassed, finding, remedy }) => ({
      check: name,
      isRun,
      isPassed,
      finding,
      remedy,
    }));
    printRows(rows, options);
    if (!results.every(({ isPassed }) => isPassed)) process.exitCode = 2;
  });
}
