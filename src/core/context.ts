import type { Kysely } from "kysely";
import type { Encryption } from "../platform/encryption.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import type { Arrivals } from "../platform/postgres/arrivals.ts";
import type { Orm } from "../platform/postgres/orm.ts";
import type { Database } from "./model/tables.ts";
import type { Caller } from "./model/permissions.ts";
import pLimit, { type LimitFunction } from "p-limit";

/** The services of the core, created once. */
export interface CoreServices {
  orm: Orm;
  encryption: Encryption;
  logger: Logger;
  /** True when webhook endpoints may be plain http on loopback. */
  webhooksAllowLoopback: boolean;
  /** Wakes callers that wait for events. */
  arrivals: Arrivals;
  /** True if emails are sent. Otherwise the inviter gets the token, and passwords cannot be reset. */
  sendsMail: boolean;
}

/** The context of resolvers, created for each request. */
export interface CoreContext extends CoreServices {
  caller: Caller | undefined;
  /** For reads without entities. */
  database: Kysely<Database>;
  /** DataLoaders by their load functions: see `loaderOf`. */
  loaders: Map<unknown, unknown>;
  /** Limits an operation's concurrent statements. One by default. */
  limit: LimitFunction;
  /** The response paths of results that were replayed for idempotency keys. */
  replays: (readonly (string | number)[])[];
  /** The address and browser of the request, if known. */
  origin: Origin;
  /** Set if sessions are available: for GraphQL over HTTP. */
  session?: SessionHandle;
  /** The token of a browser that has logged in before. Stored in a separate cookie. */
  device?: SessionHandle;
  /** Set until a field of the request waits, if it may. */
  waiting?: WaitingRequest | undefined;
}

/** No limit, for an operation with a single statement. */
export const unlimited = ((work, ...parameters) => work(...parameters)) as LimitFunction;

/** What a request that waits needs of its server. */
export interface WaitingRequest {
  /** Releases the permits of the request while it waits. `closed` settles when the client has left. */
  rest: <Result>(work: (closed: Promise<void>) => Promise<Result>) => Promise<Result>;
  /** Finds the caller again. @throws AppError UNAUTHENTICATED */
  findCaller: () => Promise<Caller | undefined>;
}

export interface Origin {
  /** The client's IP address. */
  address: string | null;
  userAgent: string | null;
}

/** A token from the browser's cookie, and the functions to replace and clear it. */
export interface SessionHandle {
  token: string | undefined;
  store: (token: string, expiresAt: Date) => void;
  clear: () => void;
}

export const unknownOrigin: Origin = { address: null, userAgent: null };

export function createContext(
  services: CoreServices,
  caller: Caller | undefined,
  {
    origin = unknownOrigin,
    session,
    device,
    waiting,
    limit = pLimit(1),
  }: Partial<Pick<CoreContext, "origin" | "session" | "device" | "waiting" | "limit">> = {},
): CoreContext {
  const database = services.orm.em.getKysely<Database>();
  return {
    ...services,
    caller,
    database,
    loaders: new Map(),
    limit,
    replays: [],
    origin,
    session,
    device,
    waiting,
  };
}
