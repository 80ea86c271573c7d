import type { IncomingMessage } from "node:http";
import { callerOf } from "./address.ts";
import { bearerOf } from "./bearer.ts";

/** The caller of a request, as far as it tells. */
export interface Arrival {
  /** IP address; undefined when the connection is already gone. */
  address: string | undefined;
  /** A secret that may be valid; undefined when none is shown. */
  credential: string | undefined;
}

/** The caller of a request that came through so many proxies of our own, before anybody looks whether the credential is one. */
export function arrivalOf(request: IncomingMessage, trustedProxies: number): Arrival {
  return { address: callerOf(request, trustedProxies), credential: shownCredential(request) };
}

/** A key, a token, a session, or the device that somebody has logged in from. */
function shownCredential({ headers }: IncomingMessage): string | undefined {
  const { authorization = "", "x-service-access-token": key, cookie = "" } = headers;
  return bearerOf(authorization) ?? key?.toString() ?? cookieOf(cookie, "session") ?? cookieOf(cookie, "device");
}

function cookieOf(cookies: string, name: string): string | undefined {
  return new RegExp(`(?:^|; *)(?:__Host-)?${name}=([^;]+)`).exec(cookies)?.[1];
}
