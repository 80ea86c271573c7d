import { parseArgs } from "node:util";
import { readConfig } from "./config.ts";
import { operator } from "./core/caller.ts";
import { createApiKey } from "./core/credentials/create-api-key.ts";
import type { Scope } from "./core/permissions.ts";
import { createShop } from "./core/shops/create-shop.ts";
import { Plan } from "./core/shops/shop.entity.ts";
import { Role } from "./core/staff/staff.entity.ts";
import { resealSecrets } from "./core/webhooks/reseal-secrets.ts";
import { ensureDemo } from "./demo/create-demo.ts";
import { listenForWebhooks } from "./demo/listen.ts";
import { AppError, OperatorError } from "./platform/errors.ts";
import { progress } from "./platform/progress.ts";
import { describeApi } from "./rest/openapi.ts";
import { routes } from "./rest/router.ts";
import { refuseUnready, runOnce, serve } from "./run.ts";
import { addStaff, inviteStaff, setStaffPassword } from "./staff-commands.ts";

const usage = `Usage: merchant-api <command>

  serve            API, GraphQL and webhook worker in one process; migrates first
  api              API and GraphQL alone
  worker           webhook worker alone
  migrate          bring the database up to date
  demo             make the demo shops and write their keys to DATA_DIR/demo.json
  shops create     --name NAME --plan ${Object.values(Plan).join("|")} --currency CODE [--trial-ends INSTANT]
  keys create      --shop ID --name NAME --scope SCOPE [--scope SCOPE …]
  staff add        --shop ID --email ADDRESS --role ${Object.values(Role).join("|")} [--invite]
                   asks for a password when the address has no account; --invite prints a token instead
  staff password   --email ADDRESS: sets a new password and ends all sessions
  secrets reseal   encrypt all signing secrets under the first of ENCRYPTION_KEYS, beside a running service
  openapi          print the OpenAPI document
  listen           [--port PORT] [--topics TOPIC,TOPIC…] [--forward-to URL] [--shop ID] [--email ADDRESS]
                   receive the demo shop's webhooks here and print them; send them on, and answer as URL does;
                   --email asks for that member's password, and listens to a shop of theirs at BASE_URL

Configuration comes from the environment: see the README.`;

const flags = {
  name: { type: "string" },
  plan: { type: "string" },
  currency: { type: "string" },
  "trial-ends": { type: "string" },
  shop: { type: "string" },
  scope: { type: "string", multiple: true },
  email: { type: "string" },
  role: { type: "string" },
  invite: { type: "boolean" },
  "forward-to": { type: "string" },
  port: { type: "string" },
  topics: { type: "string" },
  help: { type: "boolean" },
} as const;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: flags });
  const command = positionals.join(" ");
  if (values.help || command === "") return console.log(usage);
  switch (command) {
    case "serve":
      return serve({ api: true, worker: true });
    case "api":
      return serve({ api: true, worker: false });
    case "worker":
      return serve({ api: false, worker: true });
    case "migrate":
      return runOnce((app) => app.migrate());
    case "demo":
      return runOnce(async (app, config) => {
        await app.migrate();
        await ensureDemo(app.core.orm.em, { file: config.demoFile, baseUrl: config.baseUrl, onProgress: progress });
        progress(`The demo's keys and logins are in ${config.demoFile}`);
      });
    case "shops create":
      return runOnce(async ({ core }) => {
        const { name = "", plan = "", currency = "", "trial-ends": trialEnds } = values;
        const trialEndsAt = trialEnds === undefined ? null : new Date(trialEnds);
        const shop = await createShop(core.orm.em, { name, plan: plan as Plan, currency, trialEndsAt });
        console.log(shop.id);
      });
    case "keys create":
      return runOnce(async ({ core }) => {
        const { shop = "", name = "", scope = [] } = values;
        const { secret } = await createApiKey(core.orm.em, shop, operator, { name, scopes: scope as Scope[] });
        console.log(secret);
      });
    case "staff add":
      return runOnce(async ({ core }, config) => {
        const { shop = "", email = "", role = "", invite } = values;
        return invite ? inviteStaff(core, { shop, email, role }, config) : addStaff(core, { shop, email, role });
      });
    case "staff password":
      return runOnce(({ core }) => setStaffPassword(core, values.email ?? ""));
    case "secrets reseal":
      return runOnce(async (app) => {
        await refuseUnready(app);
        const { resealed, cleared } = await resealSecrets({ ...app.core, em: app.core.orm.em });
        console.log(
          `Secrets encrypted under ${app.core.encryption.keyNames[0]}: ${resealed}; expired ones cleared: ${cleared}`,
        );
      }, "secrets");
    case "openapi":
      return console.log(JSON.stringify(describeApi(routes, readConfig(process.env, "nothing").baseUrl), null, 2));
    case "listen":
      return listenForWebhooks(readConfig(process.env, "nothing"), { ...values, forwardTo: values["forward-to"] });
    default:
      throw new OperatorError(`Unknown command: ${command}\n\n${usage}`);
  }
}

/** Operators get messages; a stack only where the fault is ours. */
function explain(error: unknown): unknown {
  if (error instanceof AppError) {
    return [error.message, ...(error.issues ?? []).map((issue) => `  ${issue.path}: ${issue.message}`)].join("\n");
  }
  return error instanceof OperatorError ? error.message : error;
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});
