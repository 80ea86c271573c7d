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
  readonly #shops = new Map<string, Set<string>>();

  /** Queues up. Who is in the queue already keeps the place. */
  add({ shopId, endpointId }: EndpointKey): void {
    const endpoints = this.#shops.get(shopId);
    if (endpoints) endpoints.add(endpointId);
    else this.#shops.set(shopId, new Set([endpointId]));
  }

  /** Takes out the one whose turn it is. */
  next(): EndpointKey | undefined {
    for (const [shopId, endpoints] of this.#shops) {
      const [endpointId] = endpoints;
      endpoints.delete(endpointId!);
      // To the end: next time the others come first.
      this.#shops.delete(shopId);
      if (endpoints.size > 0) this.#shops.set(shopId, endpoints);
      return { shopId, endpointId: endpointId! };
    }
    return undefined;
  }
}
