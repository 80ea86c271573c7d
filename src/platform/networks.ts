import { BlockList, isIP, SocketAddress } from "node:net";

type Family = "ipv4" | "ipv6";

/** The prefix of an IPv4 address on a socket that serves both families. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** The only notation of an address: lowercase and compressed, without a zone, and IPv4 without an IPv6 prefix. */
export function canonicalAddress(address: string): string {
  if (!address.includes(":")) return address;
  return new SocketAddress({ address, family: "ipv6" }).address.replace(MAPPED, "");
}

/** The family of a numeric address without a zone. */
export function familyOf(address: string): Family | undefined {
  const version = address.includes("%") ? 0 : isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? "ipv4" : "ipv6";
}

/**
 * The only notation of a network such as `203.0.113.0/24`, or of a single address. Undefined for anything else, including
 * IPv4 addresses that are written as IPv6.
 */
export function canonicalNetwork(network: string): string | undefined {
  const [, address = "", prefix] = /^([\d.]+|[\da-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(network) ?? [];
  const family = familyOf(address);
  if (!family || Number(prefix ?? 0) > (family === "ipv4" ? 32 : 128)) return undefined;
  const canonical = canonicalAddress(address);
  if (familyOf(canonical) !== family) return undefined;
  return prefix === undefined ? canonical : `${canonical}/${prefix}`;
}

/** Makes a function that finds out whether an address is in any of these canonical networks. */
export function matchNetworks(networks: readonly string[]): (address: string) => boolean {
  // Separate lists, because a list of both families would match IPv4 addresses by networks of IPv6.
  const [ipv6, ipv4] = [true, false].map((isIpv6) => networks.filter((each) => each.includes(":") === isIpv6));
  const lists = { ipv4: listOf(ipv4!, "ipv4"), ipv6: listOf(ipv6!, "ipv6") };
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && lists[family].check(address, family);
  };
}

/** A list of networks and addresses of one family. */
export function listOf(networks: readonly string[], family: Family): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = network.split("/");
    list.addSubnet(address!, Number(prefix ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return list;
}
