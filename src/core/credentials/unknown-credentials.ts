import { LRUCache } from "lru-cache";
import { digestText } from "./secret.ts";

/**
 * The time for which an unknown credential is cached, in milliseconds. It cannot become valid in that time, because new
 * credentials are random.
 */
const LIFETIME = 900;
const MAX_CREDENTIALS = 10_000;

/** Caches unknown credentials briefly, so that guessing one repeatedly costs one query. */
export class UnknownCredentials {
  /** Digests, because secrets are not stored. */
  readonly #digests = new LRUCache<string, true>({ max: MAX_CREDENTIALS, ttl: LIFETIME });

  /** Looks up a credential, unless it is cached as unknown. */
  async find<Found>(
    credential: string,
    lookUp: (credential: string) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const digest = digestText(credential);
    if (this.#digests.has(digest)) return undefined;
    const found = await lookUp(credential);
    if (!found) this.#digests.set(digest, true);
    return found;
  }
}
