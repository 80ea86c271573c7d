/** What names an endpoint. */
export interface EndpointKey {
  shopId: string;
  endpointId: string;
}

/**
 * The endpoints that have something to send, in fair turns: the shops one after another, and each shop's
 * endpoints one after another, so that nobody waits for those who have more.
 */
export class Turns {
  readonly #shops = new Map<string, Set<string>>();

  add({ shopId, endpointId }: EndpointKey): void {
    const endpoints = this.#shops.get(shopId);
    if (endpoints) endpoints.add(endpointId);
    else this.#shops.set(shopId, new Set([endpointId]));
  }

  /** Takes out up to `count` endpoints that may go now; the others keep their turn. */
  take(count: number, mayGo: (key: EndpointKey) => boolean): EndpointKey[] {
    const taken: EndpointKey[] = [];
    const waiting = new Set(this.#shops.keys());
    while (waiting.size > 0 && taken.length < count) {
      for (const shopId of waiting) {
        const endpoints = this.#shops.get(shopId)!;
        const endpointId = [...endpoints].find((id) => mayGo({ shopId, endpointId: id }));
        if (endpointId === undefined) {
          waiting.delete(shopId);
          continue;
        }
        taken.push({ shopId, endpointId });
        endpoints.delete(endpointId);
        // To the end: next time the others come first.
        this.#shops.delete(shopId);
        if (endpoints.size > 0) this.#shops.set(shopId, endpoints);
        else waiting.delete(shopId);
        if (taken.length === count) break;
      }
    }
    return taken;
  }
}
