import type { Context } from "koa";
import {
  createContext,
  type CoreContext,
  type CoreServices,
  type Origin,
  type SessionHandle,
} from "../../core/context.ts";
import type { Admission } from "../../core/access/admission.ts";
import type { LastUsedWriter } from "../../core/credentials/last-used-writer.ts";
import { kysely } from "../../core/queries/database.ts";
import { factsOf, type Actor } from "../../core/access/permissions.ts";
import { noteFacts } from "../../platform/fairness/visit.ts";
import { findSessionActor } from "../../core/staff/sessions/find-session-actor.ts";
import { isToken } from "../../core/staff/sessions/token.ts";
import { addressOf } from "../../platform/http/address.ts";
import { shownCredential } from "../../platform/http/shown-credential.ts";
import { findBearerActor } from "./bearer-token.ts";

const MAX_USER_AGENT = 512;

/**
 * The context of one request: who asks, from where, and with which cookies.
 *
 * @throws AppError UNAUTHENTICATED, or UNAVAILABLE when there are too many requests
 */
export async function createRequestContext(
  services: { core: CoreServices; uses: LastUsedWriter; admission: Admission; secureCookies: boolean },
  ctx: Context,
): Promise<CoreContext> {
  const { core, admission, secureCookies } = services;
  const session = cookieHandle(ctx, "session", secureCookies);
  const device = cookieHandle(ctx, "device", secureCookies);
  admission.receive({ address: addressOf(ctx), credential: shownCredential(ctx.req) });
  const actor = (await findBearerActor(services, ctx.req)) ?? (await findStaff(core, session, usesSession(ctx)));
  if (actor) {
    noteFacts(factsOf(actor));
    admission.admit(tenantOf(actor));
  }
  return createContext(core, actor, { origin: originOf(ctx), session, device });
}

/** The shop, or the person who works in several. */
function tenantOf({ id, memberships }: Actor): string {
  const [shopId] = memberships.keys();
  return memberships.size === 1 ? shopId! : id;
}

/** The owner of the session; undefined without a valid one. */
async function findStaff(core: CoreServices, { token }: SessionHandle, isUse: boolean): Promise<Actor | undefined> {
  if (token === undefined || !isToken(token)) return undefined;
  return findSessionActor(kysely(core.orm.em), token, { isUse });
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
function cookieHandle(ctx: Context, purpose: string, secure: boolean): SessionHandle {
  const name = secure ? `__Host-${purpose}` : purpose;
  // Behind a proxy the connection itself is plain.
  ctx.cookies.secure = secure;
  const attributes = { httpOnly: true, secure, sameSite: "lax", path: "/", overwrite: true } as const;
  const handle: SessionHandle = {
    token: ctx.cookies.get(name),
    store: (token, expires) => {
      handle.token = token;
      ctx.cookies.set(name, token, { ...attributes, expires });
    },
    clear: () => {
      handle.token = undefined;
      ctx.cookies.set(name, null, attributes);
    },
  };
  return handle;
}
