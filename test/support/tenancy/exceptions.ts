import { hash } from "node:crypto";
/** A column that is unique across shops: its value identifies one row, and so one shop. */
export interface Key {
  table: string;
  column: string;
  because: string;
}

/** A reviewed statement that reads several shops. It must be reviewed again after a change. */
export interface Statement {
  /** The file that sends it. From any other file it is an error. */
  source: string;
  /** That of its text, which the fault names. */
  digest: string;
  because: string;
}

export type Exception = Key | Statement;

/** The unique name of an exception. */
export function nameOf(exception: Exception): string {
  return "digest" in exception ? `${exception.source}: ${exception.digest}` : `${exception.table}.${exception.column}`;
}

/** Tells a text from all others, whatever its white space. */
export function digestOf(text: string): string {
  return hash("sha256", text.replace(/\s+/g, " ").trim()).slice(0, 12);
}

export const keys: readonly Key[] = [
  { table: "api_keys", column: "digest", because: "an API key is found by its digest, and its shop with it" },
  {
    table: "service_tokens",
    column: "digest",
    because: "a service token is found by its digest, and its shop with it",
  },
  {
    table: "invitations",
    column: "token_digest",
    because: "whoever accepts an invitation shows its token, and learns of which shop it is",
  },
];

export const statements: readonly Statement[] = [
  {
    source: "src/core/staff/sessions/find-session-actor.ts",
    digest: "dfab8f72de23",
    because: "a session is its owner's, who may be a member of several shops",
  },
  {
    source: "src/core/staff/accounts/audit-in-each-shop.ts",
    digest: "779587ead181",
    because: "what is done to an account is told to each shop that it belongs to",
  },
  {
    source: "src/core/credentials/last-used-writer.sql.ts",
    digest: "a435d3d574d6",
    because: "one statement notes the last uses of many shops' keys, each by its shop and id",
  },
  {
    source: "src/core/credentials/last-used-writer.sql.ts",
    digest: "17a07e932866",
    because: "one statement notes the last uses of many shops' tokens, each by its shop and id",
  },
  {
    source: "src/core/requests/request-log.sql.ts",
    digest: "6de6e0524ca8",
    because: "one statement writes down the requests of many shops, each with its shop",
  },
  {
    source: "src/core/webhooks/health/measure-deliveries.ts",
    digest: "13899a732412",
    because: "whoever runs the service measures the deliveries of one shop after another",
  },
  {
    source: "src/jobs/each-shop.ts",
    digest: "f392768a4d62",
    because: "jobs go from shop to shop, and each of their other statements is of one",
  },
  {
    source: "src/core/webhooks/endpoints/reseal-secrets.ts",
    digest: "5e1587042126",
    because: "secrets are encrypted anew a shop at a time, and this finds the next",
  },
  {
    source: "src/core/secrets/find-unusable-keys.sql.ts",
    digest: "ad4d0cf9bf92",
    because: "readiness tries each encryption key on what it sealed first, of whichever shop",
  },
  {
    source: "src/core/webhooks/health/load-webhook-figures.sql.ts",
    digest: "783d9b07ff18",
    because: "metrics are of the whole service, and tell numbers alone",
  },
];

export const exceptions: readonly Exception[] = [...keys, ...statements];
