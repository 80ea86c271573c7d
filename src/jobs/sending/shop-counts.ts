/** Counts what is under way, in all and for each shop. */
export class ShopCounts {
  total = 0;
  readonly #byShop = new Map<string, number>();

  /** The number of shops that have something under way. */
  get shops(): number {
    return this.#byShop.size;
  }

  of(shopId: string): number {
    return this.#byShop.get(shopId) ?? 0;
  }

  /** Counts the work until it settles. */
  async during<Result>(shopId: string, work: () => Promise<Result>): Promise<Result> {
    this.#add(shopId, 1);
    try {
      return await work();
    } finally {
      this.#add(shopId, -1);
    }
  }

  #add(shopId: string, change: 1 | -1): void {
    this.total += change;
    const count = this.of(shopId) + change;
    if (count === 0) this.#byShop.delete(shopId);
    else this.#byShop.set(shopId, count);
  }
}
