import { environmentSchema } from "../src/config.ts";
import { replaceGenerated } from "./generated-part.ts";

type Name = keyof typeof environmentSchema.shape;

interface Variable {
  name: Name;
  meaning: string;
  /** The default in words, if it depends on other variables. */
  default?: string;
}

const groups: { heading: string; variables: Variable[] }[] = [
  {
    heading: "Serve",
    variables: [
      { name: "HOST", meaning: "The address to listen on." },
      { name: "PORT", meaning: "The port of the API, GraphQL and Admin." },
      {
        name: "BASE_URL",
        default: "`http://127.0.0.1:PORT`",
        meaning:
          "The public address, as clients see it, without a path. Admin can be used only there. Production requires `https`.",
      },
      {
        name: "TRUSTED_PROXIES",
        meaning:
          "The number of proxies in front that add the client's address to `X-Forwarded-For`. With 0, the header is ignored.",
      },
      {
        name: "SHUTDOWN_DELAY",
        default: "`5` in production, else `0`",
        meaning:
          "Seconds that an API serves on after SIGTERM while `/readyz` answers 503. See [Restart without losing requests](operations.md#restart-without-losing-requests).",
      },
      {
        name: "NODE_ENV",
        meaning:
          "`production` requires `DATABASE_URL`, and `BASE_URL` and `ENCRYPTION_KEYS` of a process that serves. The image sets it.",
      },
    ],
  },
  {
    heading: "Store data",
    variables: [
      {
        name: "DATABASE_URL",
        default: "the embedded PostgreSQL",
        meaning:
          "PostgreSQL 15 or newer. Parameters such as `sslmode` work. Connect directly, without a pooler. The embedded one is for development.",
      },
      {
        name: "DATABASE_POOL_SIZE",
        meaning:
          "Connections for requests, and as many for deliveries. See [Count connections](operations.md#count-connections).",
      },
      {
        name: "DATA_DIR",
        meaning: "Development data: the embedded database, its password, demo credentials and emails.",
      },
      {
        name: "ENCRYPTION_KEYS",
        default: "a key in `DATA_DIR`, with the embedded database",
        meaning:
          "AES-256 keys for signing secrets, endpoint headers, second factors and mailed tokens. The first encrypts, all decrypt. See [Replace encryption keys](operations.md#replace-encryption-keys).",
      },
    ],
  },
  {
    heading: "Send mail",
    variables: [
      {
        name: "SMTP_URL",
        default: "files in `DATA_DIR/mail`; in production none",
        meaning: "The mail server. See [Set up mail](operations.md#set-up-mail).",
      },
      {
        name: "MAIL_FROM",
        meaning: "The sender, such as `Merchant <merchant@example.com>`. Required with `SMTP_URL`.",
      },
    ],
  },
  {
    heading: "Send webhooks",
    variables: [
      {
        name: "WEBHOOKS_PROXY",
        default: "none",
        meaning:
          "The forward proxy of workers, so that receivers see its address. See [Send webhooks from a fixed address](operations.md#send-webhooks-from-a-fixed-address).",
      },
      {
        name: "WEBHOOKS_CA",
        default: "none",
        meaning: "Certificate authorities of receivers, in addition to the built-in ones and `NODE_EXTRA_CA_CERTS`.",
      },
    ],
  },
  {
    heading: "Monitor",
    variables: [
      {
        name: "LOG_LEVEL",
        default: "`warn` with the embedded database, else `info`",
        meaning: "The lowest level of log lines.",
      },
      { name: "HEALTH_PORT", default: "off", meaning: "The port for a worker's [health](operations.md#check-health)." },
      {
        name: "METRICS_PORT",
        default: "off",
        meaning: "The port for Prometheus [metrics](operations.md#collect-metrics).",
      },
      { name: "METRICS_HOST", meaning: "The address for that port." },
      {
        name: "OTEL_EXPORTER_OTLP_ENDPOINT",
        default: "off",
        meaning:
          "An OpenTelemetry collector for [traces](operations.md#collect-traces), such as `http://127.0.0.1:4318`.",
      },
      { name: "OTEL_TRACES_SAMPLER_ARG", meaning: "The ratio of traces to record." },
    ],
  },
  {
    heading: "Develop",
    variables: [
      {
        name: "WEBHOOKS_ALLOW_LOOPBACK",
        default: "`true` with the embedded database, else `false`",
        meaning: "Allow webhooks to this machine, also over plain http.",
      },
      {
        name: "GRAPHQL_INTROSPECTION",
        default: "`true` with the embedded database, else `false`",
        meaning: "Allow introspection at `/graphql`, and show browsers the explorer.",
      },
    ],
  },
];

/** Returns docs/configuration.md with its tables generated from the schema of the environment. */
export function insertConfiguration(page: string): string {
  const listed = new Set<string>(groups.flatMap(({ variables }) => variables.map(({ name }) => name)));
  const missing = Object.keys(environmentSchema.shape).filter((name) => !listed.has(name));
  if (missing.length > 0) throw new Error(`scripts/configuration-tables.ts lacks ${missing.join(", ")}`);
  return replaceGenerated(page, groups.map(describeGroup).join("\n"));
}

const describeGroup = ({ heading, variables }: (typeof groups)[number]) => `## ${heading}

| variable | value | default | meaning |
|---|---|---|---|
${variables.map(describeVariable).join("\n")}
`;

function describeVariable({ name, meaning, default: described }: Variable): string {
  const schema = environmentSchema.shape[name];
  const fallback = schema.safeParse(undefined).data;
  const shown = described ?? (fallback === undefined ? "–" : `\`${JSON.stringify(fallback).replaceAll('"', "")}\``);
  return `| \`${name}\` | ${describeValue(name)} | ${shown} | ${meaning} |`;
}

/** The values of a variable, in the words of its validation error. */
function describeValue(name: Name): string {
  const { error } = environmentSchema.shape[name].safeParse("?");
  return error?.issues[0]?.message.replace(/^must be (?:an? )?(?:whole number from )?/, "") ?? "text";
}
