import { existsSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../../migrations/index.ts";
import type { App } from "../../app.ts";
import { readConfig, type Config } from "../../config.ts";
import { databaseTime } from "../../core/queries/database-time.ts";
import { error, messageOf, ok, runChecks, unknown, warning, type Checks, type Finding } from "../../health/check.ts";
import { checkDataDir, checkDescriptors, checkDisk } from "../../health/check-machine.ts";
import { checkBaseUrl, checkEgress, checkSmtp } from "../../health/check-network.ts";
import { checkSettings } from "../../health/check-settings.ts";
import { identifyDatabase } from "../../health/health-check.ts";
import { askThrough, databaseChecks } from "../../health/database-checks.sql.ts";
import { transportOf } from "../../jobs/transport/create-transport.ts";
import { OperatorError } from "../../platform/errors.ts";
import { compareClocks } from "../../platform/postgres/database-clock.ts";
import { listMigrations, namesOf } from "../../platform/postgres/schema-version.ts";
import { withCleanup } from "../cleanup.ts";
import { openApp } from "../open-app.ts";
import { printRows, type OutputOptions } from "../output.ts";
import { sendTestMail } from "./mail.ts";

/** Checks the installation, and changes nothing. The exit code is 1 after warnings and 2 after errors. */
export async function doctor({ sendTo, ...output }: OutputOptions & { sendTo?: string }): Promise<void> {
  let config: Config;
  try {
    config = { ...readConfig(process.env, "everything"), logLevel: "silent" };
  } catch (reason) {
    const find = () => [error(messageOf(reason).replaceAll(/\n */g, " "), "See docs/configuration.md")];
    return report(await runChecks({ settings: ["", find] }), output);
  }
  await withCleanup(config, async (stops, signal) => {
    const isNew = config.database.kind === "embedded" && !existsSync(join(config.dataDir, "postgres"));
    const opening = isNew
      ? Promise.reject(new OperatorError(`${config.dataDir} has no database yet. Start merchant-api first`))
      : openApp(config, { stops, signal, share: true, logTo: 2, isLazy: true });
    // Its failure is a finding.
    await opening.catch(() => undefined);
    const ofMachine = runChecks(checksOfMachine(config, sendTo));
    const rows = await runChecks({ database: checkDatabase(opening) });
    if (!rows.some(isError)) rows.push(...(await runChecks(checksOfDatabase(config, opening))));
    report([...rows, ...(await ofMachine)], output);
  });
  // A server that hangs must not keep the process alive.
  setTimeout(() => process.exit(), 2_000).unref();
}

const isError = ({ severity }: Finding) => severity === "ERROR";

function report(rows: Awaited<ReturnType<typeof runChecks>>, output: OutputOptions): void {
  printRows(rows, output);
  process.exitCode = rows.some(isError) ? 2 : Number(rows.some(({ severity }) => severity === "WARNING"));
}

function checksOfMachine(config: Config, sendTo: string | undefined): Checks {
  const { mail, webhooksAllowLoopback } = config;
  const findEgress = () => checkEgress(transportOf(config.egress, false));
  const skipEgress = () => [unknown("Not checked while WEBHOOKS_ALLOW_LOOPBACK is true")];
  const sendMail = (to: string) =>
    sendTestMail(mail, to).then(
      ({ isAccepted, answer }) => [(isAccepted ? ok : error)(`The answer to the email is: ${answer}`)],
      (reason: unknown) => [error(messageOf(reason))],
    );
  return {
    settings: ["The settings fit each other", () => checkSettings(config)],
    descriptors: ["This process may open enough files and connections", checkDescriptors],
    "data directory": ["Other users cannot open secrets in DATA_DIR", () => checkDataDir(config)],
    disk: ["The disk of DATA_DIR has space", () => checkDisk(config)],
    egress: ["Webhooks reach public addresses", webhooksAllowLoopback ? skipEgress : findEgress],
    ...(mail?.kind === "smtp" && { "mail server": ["It accepts the log-in", () => checkSmtp(mail.server)] }),
    ...(sendTo !== undefined && { "test email": ["", () => sendMail(sendTo)] }),
  };
}

function checkDatabase(opening: Promise<App>): Checks[string] {
  const remedy = "Check PostgreSQL and DATABASE_URL, and run doctor again for the checks that need them";
  const reach = async () => (await opening).reachDatabase({ patience: 0 });
  const refusal = (reason: unknown) => [error(messageOf(reason), remedy)];
  return ["PostgreSQL answers, and has a supported version", () => reach().then(() => [], refusal)];
}

/** The checks that need a database. */
function checksOfDatabase(config: Config, opening: Promise<App>): Checks {
  const using = (find: (app: App) => Promise<Finding[]>) => async () => find(await opening);
  const compare = async ({ core }: App) => {
    const { aheadMs, isSkewed } = await compareClocks(() => databaseTime(core.orm.em));
    return isSkewed ? [error(`This machine's clock is ${aheadMs} ms ahead of PostgreSQL's`, "Synchronize both")] : [];
  };
  const findLater = async ({ core }: App) => {
    const later = namesOf(await listMigrations(core.orm.em.getKysely(), migrations), "LATER").join(", ");
    return later === "" ? [] : [warning(`A newer release has migrated the database: ${later}`, "Finish the upgrade")];
  };
  const ask = async (text: string) => askThrough((await opening).core.orm.em)(text);
  return {
    readiness: ["The schema and the encryption keys are right", using((app) => app.findProblems())],
    release: ["No newer release has migrated the database", using(findLater)],
    clock: ["This machine's clock agrees with PostgreSQL's", using(compare)],
    BASE_URL: [
      "BASE_URL leads here, and the client's address is known",
      using(async ({ core: { orm, encryption } }) => {
        return checkBaseUrl(config.baseUrl, encryption, await identifyDatabase(orm.em.getKysely()));
      }),
    ],
    ...databaseChecks(ask, config.databasePoolSize),
  };
}
