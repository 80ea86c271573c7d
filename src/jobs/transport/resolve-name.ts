import { Resolver } from "node:dns/promises";
import { OwnFault } from "./own-fault.ts";

/** The second try has about twice as long. Milliseconds. */
const TRY_TIMEOUT = 600;
/** All tries of all name servers. With the check after it, this fits into the three seconds that a connection has. */
const LOOKUP_TIMEOUT = 2_300;

/**
 * All addresses of a name, IPv4 first. Asks the name servers, and not the hosts file, which knows nothing public.
 * Unlike `dns.lookup` this takes no thread, of which there are four: names whose servers hang would stop all others.
 *
 * @param servers instead of those that the system names
 * @throws Error with a `code` such as ENOTFOUND when there is none
 * @throws OwnFault when the name servers of this machine do not work at all
 */
export async function resolveName(name: string, servers?: string[]): Promise<string[]> {
  const answers = await ask({ servers, tries: 2, timeout: LOOKUP_TIMEOUT }, (resolver) =>
    Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]),
  );
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const [first] = answers;
  if (addresses.length > 0 || first.status === "fulfilled") return addresses;
  if (isAnswer(first.reason) || (await areWorking(servers))) throw first.reason;
  throw new OwnFault("The name servers of this machine are not working", { cause: first.reason });
}

/** Asks for the root of all names, which every name server that works knows. */
async function areWorking(servers: string[] | undefined): Promise<boolean> {
  try {
    await ask({ servers, tries: 1, timeout: TRY_TIMEOUT }, (resolver) => resolver.resolveNs("."));
    return true;
  } catch (error) {
    return isAnswer(error);
  }
}

async function ask<Answer>(
  { servers, tries, timeout }: { servers: string[] | undefined; tries: number; timeout: number },
  question: (resolver: Resolver) => Promise<Answer>,
): Promise<Answer> {
  const resolver = new Resolver({ timeout: TRY_TIMEOUT, tries });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), timeout);
  return question(resolver).finally(() => clearTimeout(timer));
}

/** The name does not exist, or has no such records: the name servers have answered. */
function isAnswer(error: unknown): boolean {
  return ["ENOTFOUND", "ENODATA"].includes((error as NodeJS.ErrnoException).code ?? "");
}
