import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { clientAddress, networkOf, bearerOf } from "../http/client.ts";

/** The tenant of requests with an unknown credential. */
export const ANONYMOUS = "anonymous";
const MAX_CREDENTIALS = 10_000;

/** The tenant of a request. */
export interface Tenant {
  name: string;
  /** The digest of its credential, or the client's network, which has a share of the anonymous tenant. */
  source: string;
}

/**
 * Caches the tenant of each credential that was valid when last used, so that a request has a tenant before its
 * credential is looked up. It only decides about shares, not about access.
 */
export class TenantCache {
  readonly #trustedProxies: number;
  /** By digest, so that no secret is stored. */
  readonly #names = new LRUCache<string, string>({ max: MAX_CREDENTIALS });

  constructor(trustedProxies: number) {
    this.#trustedProxies = trustedProxies;
  }

  find(request: IncomingMessage): Tenant {
    const credential = shownCredential(request);
    const digest = credential === undefined ? "" : digestOf(credential);
    const name = this.#names.get(digest);
    if (name !== undefined) return { name, source: digest };
    // Requests without a credential count separately, so that guests in a shop's network do not crowd out its own
    // clients.
    const source = `${this.#networkOf(request)}${credential === undefined ? "" : " with a credential"}`;
    return { name: ANONYMOUS, source };
  }

  /** Caches a valid credential, or removes it when it has no tenant. */
  remember(credential: string, tenant: string | undefined): void {
    if (tenant === undefined) this.forget(credential);
    else this.#names.set(digestOf(credential), tenant);
  }

  /** Caches a credential that was just issued by a request. */
  rememberNew(credential: string, request: IncomingMessage): void {
    this.remember(credential, `new at ${this.#networkOf(request)}`);
  }

  /** Removes an invalid credential. */
  forget(credential: string): void {
    this.#names.delete(digestOf(credential));
  }

  #networkOf(request: IncomingMessage): string {
    return networkOf(clientAddress(request, this.#trustedProxies) ?? "");
  }
}

function digestOf(credential: string): string {
  return hash("sha256", credential, "base64");
}

/** The request's key, token, session or device cookie. */
function shownCredential({ headers }: IncomingMessage): string | undefined {
  const { authorization = "", "x-service-access-token": key, cookie = "" } = headers;
  return bearerOf(authorization) ?? key?.toString() ?? cookieOf(cookie, "session") ?? cookieOf(cookie, "device");
}

function cookieOf(cookies: string, name: string): string | undefined {
  return new RegExp(`(?:^|; *)(?:__Host-)?${name}=([^;]+)`).exec(cookies)?.[1];
}
