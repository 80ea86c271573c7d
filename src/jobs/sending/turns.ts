import { setTimeout as wait } from "node:timers/promises";
import { isDatabaseUnavailable } from "../../platform/errors.ts";

/**
 * Items that wait, by shop. Shops take turns: every other turn is of the shop with the fewest items, the others are of
 * the one that has waited longest. So a calm shop is next, and a busy one is never left out.
 */
export class Turns<Item> {
  /** The number of items. */
  size = 0;
  /** By shop, the one that has waited longest first. */
  readonly #lines = new Map<string, Item[]>();
  #isOfFewest = false;

  add(shopId: string, item: Item): void {
    this.size += 1;
    const line = this.#lines.get(shopId);
    if (line) line.push(item);
    else this.#lines.set(shopId, [item]);
  }

  /** Takes up to this number of items of the next ready shop. Empty if no shop is ready. */
  take(most: number, isReady: (shopId: string) => boolean = () => true): Item[] {
    const shopId = this.#next(isReady);
    if (shopId === undefined) return [];
    const line = this.#lines.get(shopId)!;
    this.#lines.delete(shopId);
    const items = line.splice(0, most);
    if (line.length > 0) this.#lines.set(shopId, line);
    this.size -= items.length;
    return items;
  }

  #next(isReady: (shopId: string) => boolean): string | undefined {
    this.#isOfFewest = !this.#isOfFewest;
    let next: string | undefined;
    let fewest = Infinity;
    for (const [shopId, { length }] of this.#lines) {
      if (length >= fewest || !isReady(shopId)) continue;
      [next, fewest] = [shopId, length];
      if (!this.#isOfFewest || length === 1) break;
    }
    return next;
  }
}

export interface BatchesOptions<Key, Result> {
  /** Serves keys of one shop with one statement. */
  serve: (keys: Key[]) => Promise<Result[]>;
  /** Keys of a statement. */
  most: number;
  /** Statements at a time. */
  statements: number;
  /** The time between a shop's statements, in which keys are collected. Milliseconds. */
  pause?: number;
  /** Returns false while no further statement should start. */
  isOpen?: () => boolean;
}

interface Waiting<Key, Result> extends Pick<PromiseWithResolvers<Result>, "promise" | "resolve" | "reject"> {
  key: Key;
}

/**
 * Serves what many loops ask with few statements. Each has what one shop's loops ask, shops take turns, and a shop has
 * one at a time. Waiting for a connection is part of waiting for a turn, without a time-out.
 */
export class Batches<Key extends { shopId: string }, Result> {
  readonly #options: BatchesOptions<Key, Result>;
  readonly #waiting = new Turns<Waiting<Key, Result>>();
  /** Shops with a statement, or in the pause after it. */
  readonly #busy = new Set<string>();
  #running = 0;
  #isScheduled = false;

  constructor(options: BatchesOptions<Key, Result>) {
    this.#options = options;
  }

  load(key: Key): Promise<Result> {
    const waiting = { key, ...Promise.withResolvers<Result>() };
    this.#waiting.add(key.shopId, waiting);
    this.start();
    return waiting.promise;
  }

  /** Starts statements, after all loops that were woken together have asked. */
  start(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#startNow();
    });
  }

  #startNow(): void {
    const { most, statements, isOpen = () => true } = this.#options;
    while (this.#running < statements && isOpen()) {
      const batch = this.#waiting.take(most, (shopId) => !this.#busy.has(shopId));
      if (batch.length === 0) return;
      void this.#serve(batch);
    }
  }

  async #serve(batch: Waiting<Key, Result>[]): Promise<void> {
    const { serve, pause } = this.#options;
    const { shopId } = batch[0]!.key;
    this.#running += 1;
    this.#busy.add(shopId);
    const settle = async (part: typeof batch): Promise<void> => {
      try {
        const results = await serve(part.map(({ key }) => key));
        for (const [index, { resolve }] of part.entries()) resolve(results[index]!);
      } catch (error) {
        if (part.length === 1 || isDatabaseUnavailable(error)) for (const { reject } of part) reject(error);
        // Serves each alone, so that one bad key does not block the others.
        else for (const one of part) await settle([one]);
      }
    };
    await settle(batch);
    this.#running -= 1;
    this.start();
    if (pause !== undefined) await wait(pause);
    this.#busy.delete(shopId);
    this.start();
  }
}
