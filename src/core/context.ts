import type { Kysely } from "kysely";
import pLimit, { type LimitFunction } from "p-limit";
import type { Encryption } from "../platform/encryption.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import type { Orm } from "../platform/postgres/orm.ts";
import type { Database } from "./model/tables.ts";
import type { Actor } from "./model/permissions.ts";

/** The services that the core needs; made once. */
export interface CoreServices {
  orm: Orm;
  encryption: Encryption;
  logger: Logger;
  /** True when webhook endpoints may be plain http on loopback. */
  webhooksAllowLoopback: boolean;
  /** True where emails are sent. Otherwise the inviter gets the token, and passwords cannot be reset. */
  sendsMail: boolean;
}

/** The context of resolvers; made for each request. */
export interface CoreContext extends CoreServices {
  actor: Actor | undefined;
  /** Reads: rows without hydration. */
  database: Kysely<Database>;
  /** DataLoaders by the functions that load: see `loaderOf`. */
  loaders: Map<unknown, unknown>;
  /** Bounds the statements that an operation sends at once: one, unless it was given more. */
  limit: LimitFunction;
  /** Response paths of the answers that idempotency keys replayed. */
  replays: (readonly (string | number)[])[];
  /** The address and browser that the request comes from, as far as they are known. */
  origin: Origin;
  /** Set where sessions are kept: for GraphQL over HTTP. */
  session?: SessionHandle;
  /** The token of a browser that somebody has logged in from, kept beside the session's. */
  device?: SessionHandle;
}

export interface Origin {
  /** IP address of the caller. */
  address: string | null;
  userAgent: string | null;
}

/** The token in a browser, as it came with the request or was stored since, and the means to store one. */
export interface SessionHandle {
  token: string | undefined;
  store: (token: string, expiresAt: Date) => void;
  clear: () => void;
}

export const unknownOrigin: Origin = { address: null, userAgent: null };

export function createContext(
  services: CoreServices,
  actor: Actor | undefined,
  { origin = unknownOrigin, session, device }: Partial<Pick<CoreContext, "origin" | "session" | "device">> = {},
): CoreContext {
  const database = services.orm.em.getKysely<Database>();
  return {
    ...services,
    actor,
    database,
    loaders: new Map(),
    limit: pLimit(1),
    replays: [],
    origin,
    session,
    device,
  };
}
