import type { Context } from "koa";
import {
  createContext,
  type CoreContext,
  type CoreServices,
  type Origin,
  type SessionHandle,
} from "../../core/context.ts";
import type { LastUsedWriter } from "../../core/credentials/last-used-writer.ts";
import type { UnknownCredentials } from "../../core/credentials/unknown-credentials.ts";
import { kysely } from "../../core/queries/database.ts";
import { factsOf } from "../../core/access/permissions.ts";
import type { Actor } from "../../core/model/permissions.ts";
import { AppError } from "../../core/model/errors.ts";
import { addRequestFacts } from "../../platform/telemetry/request-facts.ts";
import { findSessionActor } from "../../core/staff/sessions/find-session-actor.ts";
import { isToken } from "../../core/staff/sessions/token.ts";
import { addressOf } from "../../platform/http/address.ts";
import type { TenantCache } from "../../platform/overload/tenants.ts";
import { ticketOf, type Ticket } from "../../platform/overload/ticket.ts";
import { bearerOf } from "../../platform/http/bearer.ts";
import { findBearerActor } from "./bearer-token.ts";

const MAX_USER_AGENT = 512;

interface Services {
  core: CoreServices;
  uses: LastUsedWriter;
  unknownCredentials: UnknownCredentials;
}

/** The context of an operation over HTTP. */
export interface GraphqlContext extends CoreContext {
  ticket: Ticket;
}

/**
 * The context of one request: who asks, from where, and with which cookies.
 *
 * @throws AppError UNAUTHENTICATED
 */
export async function createRequestContext(
  services: Services & { tenants: TenantCache; secureCookies: boolean },
  ctx: Context,
): Promise<GraphqlContext> {
  const { core, tenants, secureCookies } = services;
  const session = cookieHandle(ctx, "session", secureCookies, (token) => tenants.rememberNew(token, ctx.req));
  const device = cookieHandle(ctx, "device", secureCookies);
  // Of a device it is not looked up before somebody logs in there.
  const credential = bearerOf(ctx.get("authorization")) ?? session.token ?? device.token ?? "";
  const actor = await findActor(services, ctx, session).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "UNAUTHENTICATED") tenants.forget(credential);
    throw error;
  });
  if (actor) addRequestFacts(factsOf(actor));
  tenants.remember(credential, actor && tenantOf(actor));
  return { ...createContext(core, actor, { origin: originOf(ctx), session, device }), ticket: ticketOf(ctx) };
}

/** The shop that somebody works in, or the first of several. Undefined without any, since anybody may open as many accounts. */
function tenantOf({ memberships }: Actor): string | undefined {
  return memberships.keys().next().value;
}

/**
 * The service whose token it is, or the owner of the session; undefined without a valid session.
 *
 * @throws AppError UNAUTHENTICATED when the Authorization header holds no valid token
 */
async function findActor(services: Services, ctx: Context, { token }: SessionHandle): Promise<Actor | undefined> {
  const service = await findBearerActor(services, ctx.req);
  if (service || token === undefined || !isToken(token)) return service;
  const database = kysely(services.core.orm.em);
  return services.unknownCredentials.find(token, (shown) =>
    findSessionActor(database, shown, { isUse: usesSession(ctx) }),
  );
}

/** Tells whether a person asks, and not a page that looks for news by itself: that keeps no session open. */
function usesSession(ctx: Context): boolean {
  return ctx.get("x-session-use") !== "none";
}

/** Node reads header values as Latin-1 and takes no NUL, so that PostgreSQL can store whatever comes. */
function originOf(ctx: Context): Origin {
  return {
    address: addressOf(ctx) ?? null,
    userAgent: ctx.get("user-agent").slice(0, MAX_USER_AGENT) || null,
  };
}

/** A cookie that scripts and other sites cannot use. */
function cookieHandle(
  ctx: Context,
  purpose: string,
  secure: boolean,
  onStore?: (token: string) => void,
): SessionHandle {
  const name = secure ? `__Host-${purpose}` : purpose;
  // Behind a proxy the connection itself is plain.
  ctx.cookies.secure = secure;
  const attributes = { httpOnly: true, secure, sameSite: "lax", path: "/", overwrite: true } as const;
  const handle: SessionHandle = {
    token: ctx.cookies.get(name),
    store: (token, expires) => {
      handle.token = token;
      onStore?.(token);
      ctx.cookies.set(name, token, { ...attributes, expires });
    },
    clear: () => {
      handle.token = undefined;
      ctx.cookies.set(name, null, attributes);
    },
  };
  return handle;
}
