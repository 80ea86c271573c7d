import type { IncomingMessage } from "node:http";
import { bearerOf } from "./bearer.ts";

/**
 * The credential that a request shows, before anybody looks whether it is one: a key, a token, a session, or the device
 * that somebody has logged in from. Undefined when there is none.
 */
export function shownCredential({ headers }: IncomingMessage): string | undefined {
  const { authorization = "", "x-service-access-token": key, cookie = "" } = headers;
  return bearerOf(authorization) ?? key?.toString() ?? cookieOf(cookie, "session") ?? cookieOf(cookie, "device");
}

function cookieOf(cookies: string, name: string): string | undefined {
  return new RegExp(`(?:^|; *)(?:__Host-)?${name}=([^;]+)`).exec(cookies)?.[1];
}
