import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import { createContext, type CoreContext, type Origin, type SessionHandle } from "../core/context.ts";
import { kysely } from "../core/queries/database.ts";
import { factsOf } from "../core/access/permissions.ts";
import type { Caller } from "../core/model/permissions.ts";
import { AppError, unauthenticated } from "../core/model/errors.ts";
import { addRequestFacts, untimed } from "../platform/telemetry/request-facts.ts";
import { findSessionCaller } from "../core/staff/sessions/find-session-caller.ts";
import { isToken } from "../core/staff/accounts/token.ts";
import { cut, oneLine } from "../platform/texts.ts";
import { addressOf, bearerOf } from "../platform/http/client.ts";
import type { TenantCache } from "../platform/overload/tenants.ts";
import { ownTurns } from "../platform/overload/own-turns.ts";
import { ticketOf, type Ticket } from "../platform/overload/permits.ts";
import { inspectApiKeySecret } from "../core/credentials/secret.ts";
import { authenticateService, type ServiceTokenServices } from "../core/credentials/service-tokens/service-tokens.ts";

const MAX_USER_AGENT = 512;

/** Sessions that are found together would have their documents parsed and validated without a pause. */
const ownTurn = ownTurns();

/** The context of an operation over HTTP. */
export interface GraphqlContext extends CoreContext {
  ticket: Ticket;
}

/**
 * Creates the context of a request from its caller, origin and cookies.
 *
 * @throws AppError UNAUTHENTICATED
 */
export async function createRequestContext(
  services: ServiceTokenServices & { tenants: TenantCache; secureCookies: boolean },
  ctx: Context,
): Promise<GraphqlContext> {
  const { core, tenants, secureCookies } = services;
  const session = cookieHandle(ctx, "session", secureCookies, (token) => tenants.rememberNew(token, ctx.req));
  const device = cookieHandle(ctx, "device", secureCookies);
  // A device cookie is not looked up before someone logs in.
  const credential = bearerOf(ctx.get("authorization")) ?? session.token ?? device.token ?? "";
  const caller = await findCaller(services, ctx, session).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "UNAUTHENTICATED") tenants.forget(credential);
    throw error;
  });
  if (caller) addRequestFacts(factsOf(caller));
  tenants.remember(credential, caller && tenantOf(caller));
  await ownTurn();
  const ticket = ticketOf(ctx);
  const waiting = {
    rest: <Result>(work: (closed: Promise<void>) => Promise<Result>) =>
      ticket.rest(() => untimed(() => work(ticket.closed))),
    findCaller: () => findCaller(services, ctx, session),
  };
  return { ...createContext(core, caller, { origin: originOf(ctx), session, device, waiting }), ticket };
}

/** The caller's first shop. Undefined for callers without a shop, because anyone may open any number of accounts. */
function tenantOf({ memberships }: Caller): string | undefined {
  return memberships.keys().next().value;
}

/**
 * Finds the service of the token or the owner of the session. Undefined without a valid session.
 *
 * @throws AppError UNAUTHENTICATED when the Authorization header holds no valid token
 */
async function findCaller(
  services: ServiceTokenServices,
  ctx: Context,
  { token }: SessionHandle,
): Promise<Caller | undefined> {
  const service = await findBearerCaller(services, ctx.req);
  if (service || token === undefined || !isToken(token)) return service;
  const database = kysely(services.core.orm.em);
  return services.unknownCredentials.find(token, (shown) =>
    findSessionCaller(database, shown, { isUse: usesSession(ctx) }),
  );
}

/** Returns false for background polling by a page, which must not extend the session. */
function usesSession(ctx: Context): boolean {
  return ctx.get("x-session-use") !== "none";
}

/** The request's origin. Node reads header values as Latin-1 without NUL, so PostgreSQL can store any of them. */
function originOf(ctx: Context): Origin {
  return {
    address: addressOf(ctx) ?? null,
    userAgent: oneLine(cut(ctx.get("user-agent"), MAX_USER_AGENT)) || null,
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
  // Set explicitly: behind a proxy, the connection itself is not encrypted.
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

/**
 * Finds the service of the bearer token. Undefined without an Authorization header.
 *
 * @throws AppError UNAUTHENTICATED when the header holds anything else
 */
async function findBearerCaller(services: ServiceTokenServices, request: IncomingMessage): Promise<Caller | undefined> {
  const values = request.headersDistinct.authorization;
  if (values === undefined) return undefined;
  const token = values.length === 1 ? bearerOf(values[0]!) : undefined;
  if (token === undefined) throw unauthenticated("Send one Authorization header, with Bearer and a service token.");
  if (inspectApiKeySecret(token) !== "unrecognized") {
    throw unauthenticated("API keys work only with the REST API. Use a session or a service token.");
  }
  return authenticateService(services, token);
}
