import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { OperatorError } from "./platform/errors.ts";
import { sender, smtpUrl, type MailSettings } from "./platform/mail/mail-settings.ts";
import type { ListenAddress } from "./platform/http/listen.ts";
import { serverUrl, type Egress } from "./platform/server-url.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/** Reads the certificates of a PEM file, at least one. */
const certificateFile = z.string().transform((file, context): string[] => {
  try {
    const blocks = readFileSync(file, "latin1").match(CERTIFICATE) ?? [""];
    return blocks.map((pem) => new X509Certificate(pem).toString());
  } catch {
    context.addIssue({ code: "custom", message: "must be the path of a readable PEM file of valid certificates" });
    return z.NEVER;
  }
});

const flag = z.enum(["true", "false"], "must be true or false").transform((value) => value === "true");

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.string().regex(/^\d+$/, error).transform(Number).pipe(z.number().min(least, error).max(most, error));
};

const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

/** The environment variables. */
export const environmentSchema = z.object({
  NODE_ENV: z.string().optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL", abort: true })
    .refine((url) => new URL(url).pathname.length > 1, "must name a database, such as postgres://host:5432/database")
    .optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  PORT: wholeNumber(0, 65_535).default(4000),
  HEALTH_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  HOST: z.string().min(1).default("127.0.0.1"),
  // Links and origins are made of it. An address with a user, a path, a query or a fragment would break them.
  BASE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http(s):// URL", abort: true })
    .refine(
      (text) => /^[^@?#\\]+$/.test(text) && new URL(text).pathname.replaceAll("/", "") === "",
      "must not have a user, path, query or fragment, such as https://api.example.com",
    )
    .transform((text) => new URL(text).origin)
    .optional(),
  ENCRYPTION_KEYS: z
    .string()
    .regex(/^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/, {
      error: "must be a comma-separated list of name:key, where each key is 32 bytes in base64",
      abort: true,
    })
    .refine((text) => {
      const names = parseEncryptionKeys(text).map(({ name }) => name);
      return new Set(names).size === names.length;
    }, "must not have two keys with the same name")
    .refine(
      (text) => parseEncryptionKeys(text).every(({ key }) => key.some((byte) => byte !== key[0])),
      "must not have a key that repeats one byte. Generate a key with: openssl rand -base64 32",
    )
    .optional(),
  SHUTDOWN_DELAY: wholeNumber(0, 60).optional(),
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  DATABASE_POOL_SIZE: wholeNumber(2, 500).default(10),
  WEBHOOKS_PROXY: serverUrl(
    /^http$/,
    "must be http://user:password@host:port, with percent-encoded user and password",
  ).optional(),
  WEBHOOKS_CA: certificateFile.optional(),
  WEBHOOKS_ALLOW_LOOPBACK: flag.optional(),
  GRAPHQL_INTROSPECTION: flag.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: sender.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be an http(s):// URL" }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0|1|[01]?\.\d+)$/, "must be a number from 0 to 1")
    .transform(Number)
    .pipe(z.number().max(1, "must be a number from 0 to 1"))
    .default(1),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).optional(),
});

/** The database: a server that the operator runs, or the embedded one in `dataDir`. */
type DatabaseConfig = { kind: "server"; url: string } | { kind: "embedded" };

/** AES-256 keys by name. The first encrypts and all decrypt, so keys can be rotated. */
export interface EncryptionKey {
  name: string;
  key: Buffer;
}

export interface Config {
  database: DatabaseConfig;
  databasePoolSize: number;
  dataDir: string;
  demoFile: string;
  port: number;
  /** The port for probes of a worker that runs without the API. Undefined for none. */
  healthPort: number | undefined;
  /** The address for metrics. Undefined when no port is set. */
  metrics: { host: string; port: number } | undefined;
  host: string;
  /** The seconds for which an API that shuts down keeps serving, so that proxies notice. */
  shutdownDelay: number;
  /** The public address, without a trailing slash. */
  baseUrl: string;
  /** The number of proxies in front of the process that add to X-Forwarded-For. */
  trustedProxies: number;
  /** Undefined when not set. With the embedded database, the process then uses a generated key in `dataDir`. */
  encryptionKeys: EncryptionKey[] | undefined;
  egress: Egress;
  webhooksAllowLoopback: boolean;
  graphqlIntrospection: boolean;
  /** Undefined in production without SMTP: no mail is sent. */
  mail: MailSettings | undefined;
  /** The share of traces that is recorded. Undefined when traces are off. */
  tracedPart: number | undefined;
  logLevel: string;
}

/** What a command needs: no services, the database, mail, the stored secrets, or everything that serving needs. */
export type Use = "nothing" | "database" | "mail" | "secrets" | "everything";

/** Enough for a proxy that checks health every second or two. Seconds. */
const PRODUCTION_DELAY = 5;

/** @throws OperatorError that names each environment variable that is missing or malformed, never its value */
export function readConfig(environment: Record<string, string | undefined>, use: Use): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = environmentSchema.safeParse(set);
  const malformed = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const issues = [...malformed, ...findMissing(set, use)];
  if (!parsed.success || issues.length > 0) throw new OperatorError(`Invalid configuration:\n  ${issues.join("\n  ")}`);
  const env = parsed.data;
  const development = env.DATABASE_URL === undefined;
  return {
    database: env.DATABASE_URL ? { kind: "server", url: env.DATABASE_URL } : { kind: "embedded" },
    databasePoolSize: env.DATABASE_POOL_SIZE,
    dataDir: env.DATA_DIR,
    demoFile: join(env.DATA_DIR, "demo.json"),
    port: env.PORT,
    healthPort: env.HEALTH_PORT,
    metrics: env.METRICS_PORT === undefined ? undefined : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    host: env.HOST,
    shutdownDelay: env.SHUTDOWN_DELAY ?? (env.NODE_ENV === "production" ? PRODUCTION_DELAY : 0),
    baseUrl: env.BASE_URL ?? `http://127.0.0.1:${env.PORT}`,
    trustedProxies: env.TRUSTED_PROXIES,
    encryptionKeys: env.ENCRYPTION_KEYS ? parseEncryptionKeys(env.ENCRYPTION_KEYS) : undefined,
    egress: { proxy: env.WEBHOOKS_PROXY, authorities: env.WEBHOOKS_CA },
    webhooksAllowLoopback: env.WEBHOOKS_ALLOW_LOOPBACK ?? development,
    graphqlIntrospection: env.GRAPHQL_INTROSPECTION ?? development,
    mail: mailSettings(env),
    tracedPart: env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? undefined : env.OTEL_TRACES_SAMPLER_ARG,
    logLevel: env.LOG_LEVEL ?? (development ? "warn" : "info"),
  };
}

const DEVELOPMENT_SENDER = { name: "Merchant API", address: "merchant-api@localhost.invalid" };

function mailSettings(env: z.output<typeof environmentSchema>): MailSettings | undefined {
  const from = env.MAIL_FROM ?? DEVELOPMENT_SENDER;
  if (env.SMTP_URL) return { kind: "smtp", server: env.SMTP_URL, from };
  return env.NODE_ENV === "production" ? undefined : { kind: "files", directory: join(env.DATA_DIR, "mail"), from };
}

/**
 * Names missing settings that are easy to forget. Otherwise the demo could be served in production, or cookies sent
 * unencrypted.
 */
function findMissing(set: Record<string, string | undefined>, use: Use): string[] {
  const isProduction = set.NODE_ENV === "production" && use !== "nothing";
  const isDeployed = isProduction || set.DATABASE_URL !== undefined;
  const missing: string[] = [];
  if (isProduction && set.DATABASE_URL === undefined) {
    missing.push("DATABASE_URL: is required in production, such as postgres://user:password@host:5432/database");
  }
  if (isProduction && use === "everything" && !set.BASE_URL?.startsWith("https:")) {
    missing.push("BASE_URL: must be the public https:// URL in production, such as https://api.example.com");
  }
  const usesMail = use === "mail" || use === "everything";
  if (usesMail && set.SMTP_URL !== undefined && set.MAIL_FROM === undefined) {
    missing.push("MAIL_FROM: is required with SMTP_URL, such as Merchant <merchant@example.com>");
  }
  // A waiting mail may have a token.
  const sealsTokens = use === "mail" && (set.SMTP_URL !== undefined || !isProduction);
  const opensSecrets = use === "secrets" || use === "everything" || sealsTokens;
  if (isDeployed && opensSecrets && set.ENCRYPTION_KEYS === undefined) {
    missing.push("ENCRYPTION_KEYS: is required, as name:key. Generate a key with: openssl rand -base64 32");
  }
  return missing;
}

/** Parses `name:base64,…`, newest first. */
export function parseEncryptionKeys(text: string): EncryptionKey[] {
  return text.split(",").map((entry) => {
    const separator = entry.indexOf(":");
    return { name: entry.slice(0, separator), key: Buffer.from(entry.slice(separator + 1), "base64") };
  });
}

export const apiAddress = ({ host, port }: Pick<Config, "host" | "port">): ListenAddress => ({
  host,
  port,
  variables: { host: "HOST", port: "PORT" },
});

export const healthAddress = (host: string, port: number): ListenAddress => ({
  host,
  port,
  variables: { host: "HOST", port: "HEALTH_PORT" },
});

export const metricsAddress = (at: { host: string; port: number }): ListenAddress => ({
  ...at,
  variables: { host: "METRICS_HOST", port: "METRICS_PORT" },
});
