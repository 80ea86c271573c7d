import { Resolver } from "node:dns/promises";

/** The second try has about twice as long; both fit well into the three seconds that a connection has. Milliseconds. */
const TRY_TIMEOUT = 600;

/**
 * All addresses of a name, IPv4 first. Asks the name servers, and not the hosts file, which knows nothing public.
 * Unlike `dns.lookup` this takes no thread, of which there are four: names whose servers hang would stop all others.
 *
 * @param servers instead of those that the system names
 * @throws Error with a `code` such as ENOTFOUND when there is none
 */
export async function resolveName(name: string, servers?: string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: TRY_TIMEOUT, tries: 2 });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length === 0 && answers[0].status === "rejected") throw answers[0].reason;
  return addresses;
}
