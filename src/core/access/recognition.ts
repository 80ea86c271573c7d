import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Caller } from "../../platform/fairness/load-shedder.ts";
import type { Party } from "../../platform/fairness/visit.ts";
import { networkOf } from "../../platform/http/address.ts";
import type { Arrival } from "../../platform/http/arrival.ts";

/** The tenant of all requests whose credential is not known to be valid. They may come from many addresses. */
const STRANGERS = "strangers";
const MAX_CREDENTIALS = 10_000;

/**
 * Tells whose a request is before its credential is looked up, by what was found when it was last shown to this process.
 * That decides on nothing but whose share a request takes.
 */
export class Recognition {
  /** The tenants, by the digests of their credentials: secrets are not kept. */
  readonly #tenants = new LRUCache<string, string>({ max: MAX_CREDENTIALS });

  partyOf(arrival: Arrival): Party {
    const tenant = this.#tenants.get(digestOf(arrival));
    return tenant === undefined ? { tenant: STRANGERS, network: networkFor(arrival) } : { tenant };
  }

  /**
   * Names those who are refused alike for what one of them was refused for: the strangers of a network, and whoever uses a
   * recognized credential there. Others may share the credential elsewhere.
   */
  identify(arrival: Arrival): Caller {
    const digest = digestOf(arrival);
    const isStranger = !this.#tenants.has(digest);
    const network = networkFor(arrival);
    return { name: isStranger ? network : `${digest} in ${network}`, isStranger };
  }

  remember(arrival: Arrival, tenant: string): void {
    if (arrival.credential !== undefined) this.#tenants.set(digestOf(arrival), tenant);
  }

  /** Remembers a credential that was just given out: whose it is will be found when it is first shown. */
  welcome(arrival: Arrival): void {
    this.remember(arrival, `newcomers at ${networkFor(arrival)}`);
  }

  forget(arrival: Arrival): void {
    this.#tenants.delete(digestOf(arrival));
  }
}

function digestOf({ credential }: Arrival): string {
  return credential === undefined ? "" : hash("sha256", credential, "base64");
}

/** Names the network of a caller. Callers who show a credential count apart from those who show none. */
function networkFor({ address = "", credential }: Arrival): string {
  return `${networkOf(address)}${credential === undefined ? "" : " with a credential"}`;
}
