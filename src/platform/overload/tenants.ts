import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { callerOf, networkOf } from "../http/address.ts";
import { bearerOf } from "../http/bearer.ts";

/** The tenant of every request whose credential is unknown. */
const ANONYMOUS = "anonymous";
const MAX_CREDENTIALS = 10_000;

/** The tenant of a request. */
export interface Tenant {
  name: string;
  /** The part of the anonymous tenant with a share of its own. */
  network?: string;
}

/**
 * Remembers the tenant of each credential that was valid when it was last shown, so that a request has a tenant before its
 * credential is looked up. It decides about shares alone.
 */
export class TenantCache {
  readonly #trustedProxies: number;
  /** By digest: secrets are not kept. */
  readonly #names = new LRUCache<string, string>({ max: MAX_CREDENTIALS });

  constructor(trustedProxies: number) {
    this.#trustedProxies = trustedProxies;
  }

  find(request: IncomingMessage): Tenant {
    const credential = shownCredential(request);
    const name = credential === undefined ? undefined : this.#names.get(digestOf(credential));
    if (name !== undefined) return { name };
    // Guests of a shop's network show no credential, and keep none of the shop's own out.
    const network = `${this.#networkOf(request)}${credential === undefined ? "" : " with a credential"}`;
    return { name: ANONYMOUS, network };
  }

  /** Remembers a valid credential. Without a tenant, it is forgotten. */
  remember(credential: string, tenant: string | undefined): void {
    if (tenant === undefined) this.forget(credential);
    else this.#names.set(digestOf(credential), tenant);
  }

  /** Remembers a credential that was just issued to the caller of a request. */
  rememberNew(credential: string, request: IncomingMessage): void {
    this.remember(credential, `new at ${this.#networkOf(request)}`);
  }

  /** Forgets a credential that is not valid. */
  forget(credential: string): void {
    this.#names.delete(digestOf(credential));
  }

  #networkOf(request: IncomingMessage): string {
    return networkOf(callerOf(request, this.#trustedProxies) ?? "");
  }
}

function digestOf(credential: string): string {
  return hash("sha256", credential, "base64");
}

/** A key, a token, a session, or the device that somebody has logged in from. */
function shownCredential({ headers }: IncomingMessage): string | undefined {
  const { authorization = "", "x-service-access-token": key, cookie = "" } = headers;
  return bearerOf(authorization) ?? key?.toString() ?? cookieOf(cookie, "session") ?? cookieOf(cookie, "device");
}

function cookieOf(cookies: string, name: string): string | undefined {
  return new RegExp(`(?:^|; *)(?:__Host-)?${name}=([^;]+)`).exec(cookies)?.[1];
}
