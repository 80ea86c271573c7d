import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import type { Context } from "koa";
import { canonicalAddress } from "../networks.ts";

/** The IP address of the client of a Koa request. Undefined when the connection is already closed. */
export function addressOf({ req, app }: Context): string | undefined {
  return clientAddress(req, app.proxy ? app.maxIpsCount : 0);
}

/**
 * The IP address of a request's client, behind this number of trusted proxies. Undefined when the connection is already
 * closed.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string | undefined {
  // Entries further to the left are written by the client and cannot be trusted.
  const forwarded =
    trustedProxies > 0
      ? String(headers["x-forwarded-for"] ?? "")
          .split(",")
          .slice(-trustedProxies)
      : [];
  // The entry may not be an address.
  const address = bareAddress(forwarded[0]?.trim() ?? "") ?? socket.remoteAddress;
  return address && canonicalAddress(address);
}

/** The address in an entry of X-Forwarded-For, without the port that some proxies add. Undefined when it has none. */
export function bareAddress(entry: string): string | undefined {
  const bracketed = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : undefined;
  // An IPv6 address has at least two colons, so this matches IPv4 only.
  const address = entry.replace(/^([\d.]+):\d+$/, "$1");
  return isIP(address) === 0 ? undefined : address;
}

/** The network of one caller: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 6177). */
export function networkOf(address: string): string {
  return prefixOf(address, 4);
}

/** The network of one site: an IPv4 address, or the first 48 bits of an IPv6 address (RFC 6177). */
export function siteOf(address: string): string {
  return prefixOf(address, 3);
}

/** An IPv4 address, or this number of 16-bit groups of an IPv6 address. */
function prefixOf(address: string, groups: number): string {
  const canonical = canonicalAddress(address);
  // It has at most one "::" for zeros.
  if (!isIPv6(canonical)) return canonical;
  const [head = "", tail] = canonical.split("::").map((part) => part.split(":").filter(Boolean)) as [
    string[],
    string[]?,
  ];
  const zeros = tail ? Array<string>(8 - head.length - tail.length).fill("0") : [];
  return `${[...head, ...zeros, ...(tail ?? [])].slice(0, groups).join(":")}::/${groups * 16}`;
}

/** The credential of an `Authorization: Bearer` header (RFC 6750). Undefined for other headers. */
export function bearerOf(header: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header)?.[1];
}
