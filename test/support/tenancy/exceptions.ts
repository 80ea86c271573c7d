import { hash } from "node:crypto";

/**
 * A column that is unique across shops: its value identifies one row, and so one shop. Or the column by which a shop
 * decides about its sandboxes. Its table is on the coordinator of a cluster.
 */
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

/** A digest that distinguishes texts, whatever their white space. */
export function digestOf(text: string): string {
  return hash("sha256", text.replace(/\s+/g, " ").trim()).slice(0, 12);
}

export const keys: readonly Key[] = [
  { table: "api_keys", column: "digest", because: "an API key is looked up by its digest, which determines its shop" },
  {
    table: "service_tokens",
    column: "digest",
    because: "a service token is looked up by its digest, which determines its shop",
  },
  {
    table: "invitations",
    column: "token_digest",
    because: "an invitation is looked up by its token, which determines its shop",
  },
  {
    table: "shops",
    column: "sandbox_of",
    because: "a shop decides about its sandboxes, and copies of shops are everywhere",
  },
];

/** Statements for the coordinator of a cluster, which has these tables or a copy of them. */
export const coordinatorStatements: readonly Statement[] = [
  {
    source: "src/core/staff/sessions/find-session-caller.ts",
    digest: "08eb001608c6",
    because: "a session belongs to an account, which may be a member of several shops",
  },
  {
    source: "src/core/staff/accounts/account.ts",
    digest: "779587ead181",
    because: "a change of an account is audited in each of its shops",
  },
  {
    source: "src/core/moves/delete-shop.sql.ts",
    digest: "7eda242c6216",
    because: "a deleted shop takes the accounts along that no other shop has",
  },
  {
    source: "src/core/credentials/last-used-writer.sql.ts",
    digest: "a435d3d574d6",
    because: "one statement writes the last uses of many shops' keys, each by its shop and id",
  },
  {
    source: "src/core/credentials/last-used-writer.sql.ts",
    digest: "17a07e932866",
    because: "one statement notes the last uses of many shops' tokens, each by its shop and id",
  },
  {
    source: "src/core/webhooks/health/measure-deliveries.ts",
    digest: "bf326b4bd35e",
    because: "operators measure the deliveries of one shop after another",
  },
  {
    source: "src/jobs/batches.ts",
    digest: "f392768a4d62",
    because: "jobs handle one shop after another",
  },
];

/** Statements that reach several nodes of a cluster. */
export const nodeStatements: readonly Statement[] = [
  {
    source: "src/core/requests/request-log.sql.ts",
    digest: "de6e4ca1418e",
    because: "one statement logs the requests of many shops, each with its shop",
  },
  {
    source: "src/core/requests/request-log.sql.ts",
    digest: "d45d591406e4",
    because: "one statement counts the requests of many shops, each for its shop",
  },
  {
    source: "src/core/webhooks/endpoints/reseal-secrets.ts",
    digest: "5e1587042126",
    because: "secrets are re-encrypted a shop at a time, and this finds the next shop",
  },
  {
    source: "src/health/find-unusable-keys.sql.ts",
    digest: "ad4d0cf9bf92",
    because: "readiness tries each encryption key on one secret of any shop",
  },
  {
    source: "src/core/webhooks/health/load-webhook-figures.sql.ts",
    digest: "5378a09776fd",
    because: "metrics cover the whole service, and contain only numbers",
  },
  {
    source: "src/core/webhooks/health/load-webhook-figures.sql.ts",
    digest: "e503dfbf5de9",
    because: "metrics cover the whole service, and contain only numbers",
  },
];

export const exceptions: readonly Exception[] = [...keys, ...coordinatorStatements, ...nodeStatements];
