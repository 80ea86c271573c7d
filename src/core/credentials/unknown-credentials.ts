import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** In milliseconds. None becomes valid later: each is made of random bits when it is given out. */
const LIFETIME = 900;
const MAX_CREDENTIALS = 10_000;

/** Remembers for a moment which credentials there are not: guessing one again and again costs one look-up. */
export class UnknownCredentials {
  /** Digests: secrets are not kept. */
  readonly #digests = new LRUCache<string, true>({ max: MAX_CREDENTIALS, ttl: LIFETIME });

  /** What `lookUp` finds by a credential, which is only asked when that may be known. */
  async find<Found>(
    credential: string,
    lookUp: (credential: string) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const digest = hash("sha256", credential, "base64");
    if (this.#digests.has(digest)) return undefined;
    const found = await lookUp(credential);
    if (!found) this.#digests.set(digest, true);
    return found;
  }
}
