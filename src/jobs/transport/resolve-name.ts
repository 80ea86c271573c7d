import { Resolver } from "node:dns/promises";
import { OwnFault } from "./failures.ts";

/** The time-out of the first try; the second has about twice as long. Milliseconds. */
const TRY_TIMEOUT = 600;
/**
 * The time-out of all tries of all name servers. With the check after it, it fits into the three seconds for a
 * connection. Milliseconds.
 */
const LOOKUP_TIMEOUT = 2_300;

/**
 * Resolves all addresses of a name, IPv4 first. It asks the name servers and not the hosts file, which has no public
 * names. Unlike `dns.lookup` it takes none of the four threads, which names with hanging servers would block.
 *
 * @param servers name servers instead of the system's
 * @throws Error with a `code` such as ENOTFOUND when there is none
 * @throws OwnFault when the name servers of this machine do not work at all
 */
export async function resolveName(name: string, servers?: string[]): Promise<string[]> {
  const answers = await ask({ servers, tries: 2, timeout: LOOKUP_TIMEOUT }, (resolver) =>
    Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]),
  );
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const reasons = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
  // Of a name without an IPv4 address, the failure to look up the other kind counts. A name that does not exist has neither.
  const reason =
    reasons.find((one) => (one as NodeJS.ErrnoException).code === "ENOTFOUND") ??
    reasons.find((one) => !isAnswer(one)) ??
    reasons[0];
  if (isAnswer(reason) || (await areWorking(servers))) throw reason;
  throw new OwnFault("The name servers of this machine are not working", { cause: reason });
}

/** Returns true when a name server answers for the root, which every working one knows. */
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

/** Returns true when the name servers answered that the name or its records do not exist. */
function isAnswer(error: unknown): boolean {
  return ["ENOTFOUND", "ENODATA"].includes((error as NodeJS.ErrnoException).code ?? "");
}
