import { familyOf, listOf } from "./networks.ts";

/**
 * IPv4 addresses that the IANA special-purpose registry does not list as globally reachable, and multicast.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const SPECIAL_IPV4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private use
  "100.64.0.0/10", // shared by carriers; Alibaba's metadata
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link local; most clouds' metadata
  "172.16.0.0/12", // private use
  "192.0.0.0/24", // IETF protocols; also its two anycast addresses, which lead to the nearest router
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 and 6a44 relays
  "192.168.0.0/16", // private use
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
  "168.63.129.16/32", // Azure's metadata and resolver, from inside
];

/**
 * The same for IPv6 within 2000::/3. No address outside of it is public: `::/96`, mapped addresses and NAT64 stand for
 * IPv4 addresses, and the others are local, unique local, site local or multicast.
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const SPECIAL_IPV6 = [
  "2001::/23", // IETF protocols: Teredo, benchmarks, ORCHID, drones
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, which stands for an IPv4 address
  "3fff::/20", // documentation
];

/** Addresses within `2001::/23` that the registry lists as globally reachable: AMT and AS112. */
const REACHABLE_IPV6 = ["2001:3::/32", "2001:4:112::/48"];

const global = listOf(["2000::/3"], "ipv6");
const special = { ipv4: listOf(SPECIAL_IPV4, "ipv4"), ipv6: listOf(SPECIAL_IPV6, "ipv6") };
const reachable = listOf(REACHABLE_IPV6, "ipv6");
// Separate lists, because a list of both families would match mapped addresses as IPv4.
const loopbackIpv4 = listOf(["127.0.0.0/8"], "ipv4");
const loopbackIpv6 = listOf(["::1/128"], "ipv6");

/**
 * Returns true for a numeric address of the public internet. Anything else, including an address with a zone, is not.
 */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address);
  if (family === "ipv4") return !special.ipv4.check(address, family);
  if (family === "ipv6") {
    return global.check(address, family) && (!special.ipv6.check(address, family) || reachable.check(address, family));
  }
  return false;
}

/** Returns true for a numeric loopback address. */
export function isLoopbackAddress(address: string): boolean {
  const family = familyOf(address);
  if (family === "ipv4") return loopbackIpv4.check(address, family);
  return family === "ipv6" && loopbackIpv6.check(address, family);
}
