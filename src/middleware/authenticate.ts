import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import { AppError, unauthenticated } from "../core/model/errors.ts";
import type { Caller } from "../core/model/permissions.ts";
import { addressOf, bearerOf } from "../platform/http/client.ts";
import { ticketOf } from "../platform/overload/permits.ts";
import type { TenantCache } from "../platform/overload/tenants.ts";

/**
 * Finds the caller of the request's credential, and remembers its shop as the tenant of the credential.
 *
 * @throws AppError UNAUTHENTICATED; FORBIDDEN for a client at an address that the key does not allow
 */
export async function authenticate(
  ctx: Context,
  find: (credential: string | undefined, address: string | undefined) => Promise<Caller>,
  tenants: TenantCache,
): Promise<Caller> {
  const credential = readApiKey(ctx.req);
  try {
    const caller = await find(credential, addressOf(ctx));
    const [shopId] = caller.memberships.keys();
    if (shopId !== ticketOf(ctx).tenant.name) tenants.remember(credential!, shopId);
    return caller;
  } catch (error) {
    if (credential !== undefined && error instanceof AppError) tenants.forget(credential);
    throw error;
  }
}

/**
 * Reads the API key from either header. Undefined without one.
 *
 * @throws AppError UNAUTHENTICATED when they differ
 */
function readApiKey(request: IncomingMessage): string | undefined {
  const headers = request.headersDistinct;
  const bearers = (headers.authorization ?? []).flatMap((value) => bearerOf(value) ?? []);
  const keys = new Set([...bearers, ...(headers["x-service-access-token"] ?? [])]);
  if (keys.size > 1) throw unauthenticated("The request has different API keys. Send only one.");
  return [...keys][0];
}
