/** Counts by name, with their total. Names at zero take no memory. */
export class Counts {
  total = 0;
  readonly #counts = new Map<string, number>();

  /** The number of names with a count. */
  get size(): number {
    return this.#counts.size;
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Adds to a count. The change may be negative. */
  add(name: string, change: number): void {
    this.total += change;
    const count = this.of(name) + change;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
  }

  /** Counts one more of the name until the work settles. */
  async during<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    this.add(name, 1);
    try {
      return await work();
    } finally {
      this.add(name, -1);
    }
  }
}
