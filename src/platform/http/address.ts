import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import type { Context } from "koa";

/** The beginning of an IPv4 address as a socket for both families shows it. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** The IP address of the caller of a request that goes through Koa. Undefined when the connection is already gone. */
export function addressOf({ req, app }: Context): string | undefined {
  return callerOf(req, app.proxy ? app.maxIpsCount : 0);
}

/**
 * The IP address of a request's caller, as far as so many proxies of our own tell it. Undefined when the connection is
 * already gone.
 */
export function callerOf({ headers, socket }: IncomingMessage, trustedProxies: number): string | undefined {
  // Further to the left, callers may have written what they like.
  const forwarded =
    trustedProxies > 0
      ? String(headers["x-forwarded-for"] ?? "")
          .split(",")
          .slice(-trustedProxies)
      : [];
  // Proxies may pass on text that is no address.
  const address = bareAddress(forwarded[0]?.trim() ?? "") ?? socket.remoteAddress;
  return address?.replace(MAPPED, "");
}

/** The address in an entry of X-Forwarded-For, to which some proxies add the port. Undefined when it has none. */
export function bareAddress(entry: string): string | undefined {
  const bracketed = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : undefined;
  // No IPv6 address looks like this: it has two colons at least.
  const address = entry.replace(/^([\d.]+):\d+$/, "$1");
  return isIP(address) === 0 ? undefined : address;
}

/** The address that one caller has: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 6177). */
export function networkOf(address: string): string {
  return prefixOf(address, 4);
}

/** The addresses that one site may have: an IPv4 address, or the first 48 bits of an IPv6 address (RFC 6177). */
export function siteOf(address: string): string {
  return prefixOf(address, 3);
}

/** An IPv4 address, or so many groups of 16 bits of an IPv6 address. */
function prefixOf(address: string, groups: number): string {
  const bare = address.replace(MAPPED, "");
  if (!isIPv6(bare)) return bare;
  // A URL writes the address in its canonical form, with at most one "::" for zeros.
  const canonical = new URL(`http://[${bare.replace(/%.*/, "")}]`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::").map((part) => part.split(":").filter(Boolean)) as [
    string[],
    string[]?,
  ];
  const zeros = tail ? Array<string>(8 - head.length - tail.length).fill("0") : [];
  return `${[...head, ...zeros, ...(tail ?? [])].slice(0, groups).join(":")}::/${groups * 16}`;
}
