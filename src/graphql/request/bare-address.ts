import { isIP, isIPv6 } from "node:net";

/** The address in an entry of X-Forwarded-For, to which some proxies add the port. Undefined when it has none. */
export function bareAddress(entry: string): string | undefined {
  const bracketed = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : undefined;
  // No IPv6 address looks like this: it has two colons at least.
  const address = entry.replace(/^([\d.]+):\d+$/, "$1");
  return isIP(address) === 0 ? undefined : address;
}
