/** What names an endpoint. */
export interface EndpointKey {
  shopId: string;
  endpointId: string;
}

/**
 * Endpoints in fair turns: the shops one after another, and each shop's endpoints one after another, so that nobody
 * waits for those who have more.
 */
export class Turns {
  readonly #shops = new Queue();
  readonly #endpoints = new Map<string, Queue>();

  /** Queues up. Who is in the queue already keeps the place. */
  add({ shopId, endpointId }: EndpointKey): void {
    let endpoints = this.#endpoints.get(shopId);
    if (!endpoints) this.#endpoints.set(shopId, (endpoints = new Queue()));
    endpoints.add(endpointId);
    this.#shops.add(shopId);
  }

  /** Takes out the one whose turn it is. */
  next(): EndpointKey | undefined {
    const shopId = this.#shops.next();
    if (shopId === undefined) return undefined;
    const endpoints = this.#endpoints.get(shopId)!;
    const endpointId = endpoints.next()!;
    // To the end: next time the others come first.
    if (endpoints.size > 0) this.#shops.add(shopId);
    else this.#endpoints.delete(shopId);
    return { shopId, endpointId };
  }
}

/** First in, first out, each once. */
class Queue {
  readonly #items = new Set<string>();
  // One for all turns: each new one would begin with the traces of all that were taken out.
  #rest = this.#items.values();

  get size(): number {
    return this.#items.size;
  }

  add(item: string): void {
    this.#items.add(item);
  }

  next(): string | undefined {
    if (this.#items.size === 0) return undefined;
    let item = this.#rest.next().value;
    if (item === undefined) {
      // It has come to the end before, and an iterator does so only once.
      this.#rest = this.#items.values();
      item = this.#rest.next().value!;
    }
    this.#items.delete(item);
    return item;
  }
}
