import { LRUCache } from "lru-cache";
import { digestSecret } from "./secret.ts";

/** The time for which one is remembered, in milliseconds. None becomes valid later: it is random bits, made as it is given out. */
const LIFETIME = 900;
const MAX_CREDENTIALS = 10_000;

/** Remembers for a moment which credentials there are not: guessing one again and again costs one look-up. */
export class UnknownCredentials {
  /** Digests: secrets are not kept. */
  readonly #digests = new LRUCache<string, true>({ max: MAX_CREDENTIALS, ttl: LIFETIME });

  /** Looks a credential up, unless it was found to be none a moment ago. */
  async find<Found>(
    credential: string,
    lookUp: (credential: string) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const digest = digestSecret(credential).toString("latin1");
    if (this.#digests.has(digest)) return undefined;
    const found = await lookUp(credential);
    if (!found) this.#digests.set(digest, true);
    return found;
  }
}
