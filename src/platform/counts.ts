/** Counts by name, of which only those above zero take memory. */
export class Counts {
  readonly #counts = new Map<string, number>();

  /** The number of names with a count. */
  get size(): number {
    return this.#counts.size;
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Changes a count by a number that may be negative. */
  add(name: string, change: number): void {
    const count = this.of(name) + change;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
  }
}
