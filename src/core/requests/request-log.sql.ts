// Text, since Kysely has no insert from `unnest`, which writes any number of rows with the same statement.
import type { Kysely } from "kysely";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { cut, oneLine } from "../../platform/texts.ts";
import { maskSecrets } from "../../platform/mask-secrets.ts";
import { Recurring } from "../../platform/recurring.ts";
import { Counts } from "../../platform/counts.ts";
import { newId } from "../model/ids.ts";
import type { Database } from "../model/tables.ts";
import { MAX_ERROR_BODY, MAX_USER_AGENT, type ApiRequest } from "../model/requests/api-request.entity.ts";
import { query } from "../queries/database.ts";
import { invalidInput } from "../model/errors.ts";
import type { HourlyRequests } from "../model/requests/hourly-requests.entity.ts";
import { checkRange } from "../queries/list.ts";

/** The time between two writes, in milliseconds. */
const INTERVAL = 1_000;
/** Limits of the buffer per write, per shop and in total. */
const MAX_EACH = 250;
const MAX_ENTRIES = 5_000;

export type LoggedRequest = Omit<ApiRequest, "id" | "createdAt">;

interface Entry extends LoggedRequest {
  id: string;
  /** By the monotonic clock. Stored as an age relative to PostgreSQL's clock. Milliseconds. */
  at: number;
}

const columns: [name: string, type: string, of: (entry: Entry) => unknown][] = [
  ["shop_id", "text", ({ shopId }) => shopId],
  ["id", "text", ({ id }) => id],
  ["request_id", "text", ({ requestId }) => requestId],
  ["api_key_id", "text", ({ apiKeyId }) => apiKeyId],
  ["method", "text", ({ method }) => method],
  ["route", "text", ({ route }) => route],
  ["path", "text", ({ path }) => path],
  ["status", "int2", ({ status }) => status],
  ["duration_ms", "real", ({ durationMs }) => durationMs],
  ["error_body", "text", ({ errorBody }) => errorBody],
  ["address", "inet", ({ address }) => address],
  ["user_agent", "text", ({ userAgent }) => userAgent],
];
const names = columns.map(([name]) => name).join(", ");
const parameters = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ");
const age = `$${columns.length + 1}::float8[]`;
const statement = {
  name: "write requests",
  text: `insert into api_requests (${names}, created_at)
    select ${names}, now() - age * interval '1 millisecond' from unnest(${parameters}, ${age}) as asked (${names}, age)`,
};

const countStatement = {
  name: "count requests",
  text: `insert into hourly_requests as kept (shop_id, hour, requests, client_errors, server_errors)
    select shop_id, date_trunc('hour', now(), 'UTC'), requests, client_errors, server_errors
    from unnest($1::text[], $2::int[], $3::int[], $4::int[]) as counted (shop_id, requests, client_errors, server_errors)
    order by shop_id
    on conflict (shop_id, hour) do update set requests = kept.requests + excluded.requests,
      client_errors = kept.client_errors + excluded.client_errors,
      server_errors = kept.server_errors + excluded.server_errors`,
};

/** The requests of a shop since the last write. */
interface RequestCounts {
  requests: number;
  clientErrors: number;
  serverErrors: number;
}

/**
 * Logs and counts the requests of API keys once a second. It never delays a request: entries over the limit are counted
 * but not logged, and those while the database is unavailable are dropped.
 */
export class RequestLog {
  readonly #database: Kysely<Database>;
  readonly #logger: Logger;
  #entries: Entry[] = [];
  #counts = new Counts();
  #requests = new Map<string, RequestCounts>();
  readonly #writes = new Recurring(INTERVAL, () => this.#write());

  constructor({ database, logger }: { database: Kysely<Database>; logger: Logger }) {
    this.#database = database;
    this.#logger = logger;
  }

  append(request: LoggedRequest): void {
    const { shopId } = request;
    this.#count(request);
    if (this.#entries.length >= MAX_ENTRIES || this.#counts.of(shopId) >= MAX_EACH) return;
    this.#counts.add(shopId, 1);
    // PostgreSQL cannot store NUL in a text.
    const errorBody = cut(request.errorBody ?? "", MAX_ERROR_BODY).replaceAll("\0", "") || null;
    // Node reads headers as Latin-1 without NUL, so PostgreSQL can store any part of them. Masking a long text is slow.
    const userAgent = maskSecrets(oneLine(cut(request.userAgent ?? "", MAX_USER_AGENT))) || null;
    this.#entries.push({ ...request, errorBody, userAgent, id: newId("req"), at: performance.now() });
  }

  start(): void {
    this.#writes.start();
  }

  /** Writes the remaining entries. */
  stop(): Promise<void> {
    return this.#writes.stop();
  }

  #count({ shopId, status }: LoggedRequest): void {
    const counts = this.#requests.get(shopId) ?? { requests: 0, clientErrors: 0, serverErrors: 0 };
    counts.requests += 1;
    if (status >= 500) counts.serverErrors += 1;
    else if (status >= 400) counts.clientErrors += 1;
    this.#requests.set(shopId, counts);
  }

  /** Never throws. */
  async #write(): Promise<void> {
    const entries = this.#entries;
    if (entries.length === 0) return;
    const counted = [...this.#requests];
    this.#entries = [];
    this.#counts = new Counts();
    this.#requests = new Map();
    const now = performance.now();
    const values = [...columns.map(([, , of]) => entries.map(of)), entries.map(({ at }) => now - at)];
    const counts = [
      counted.map(([shopId]) => shopId),
      counted.map(([, { requests }]) => requests),
      counted.map(([, { clientErrors }]) => clientErrors),
      counted.map(([, { serverErrors }]) => serverErrors),
    ];
    try {
      await query(this.#database, countStatement, counts);
      await query(this.#database, statement, values);
    } catch (error) {
      this.#logger.warn({ err: error, requests: entries.length }, "requests are missing from the shops' logs");
    }
  }
}

// Text, since Kysely has no series of hours to join.

/** A week. */
export const MAX_HOURS = 168;

const text = `
  select asked_hour as hour, coalesce(requests, 0) as requests, coalesce(client_errors, 0) as "clientErrors",
    coalesce(server_errors, 0) as "serverErrors"
  from date_trunc('hour', now(), 'UTC') as this_hour
  cross join generate_series(this_hour - ($2::int - 1) * interval '1 hour', this_hour, interval '1 hour') as asked_hour
  left join hourly_requests on shop_id = $1 and hour = asked_hour
  order by asked_hour`;

/** Counts a shop's requests in each of the last hours. @throws AppError VALIDATION_FAILED */
export async function loadHourlyRequests(
  database: Kysely<Database>,
  shopId: string,
  hours: number,
): Promise<Omit<HourlyRequests, "shopId">[]> {
  const issues = checkRange("hours", hours, MAX_HOURS);
  if (issues.length > 0) throw invalidInput(issues);
  return query(database, { name: "load hourly requests", text }, [shopId, hours]);
}
