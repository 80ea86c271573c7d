import { Counts } from "../../platform/counts.ts";
import { isDatabaseUnavailable } from "../../platform/errors.ts";

/** How long a shop's taken items count against it. Milliseconds. */
const WINDOW = 1_000;

/**
 * Items that wait, by shop. Shops take turns: every other turn is of the shop with the fewest items that wait or were
 * taken in this second, the others are of the one that has waited longest. So a calm shop is next, and a busy one is
 * never left out.
 */
export class Turns<Item> {
  /** The number of items. */
  size = 0;
  /** By shop, the one that has waited longest first. */
  readonly #lines = new Map<string, Item[]>();
  #taken = new Counts();
  #takenSince = 0;
  #isOfCalmest = false;

  add(shopId: string, item: Item): void {
    this.size += 1;
    const line = this.#lines.get(shopId);
    if (line) line.push(item);
    else this.#lines.set(shopId, [item]);
  }

  /** The number of the shop's items. */
  of(shopId: string): number {
    return this.#lines.get(shopId)?.length ?? 0;
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
    this.#taken.add(shopId, items.length);
    return items;
  }

  #next(isReady: (shopId: string) => boolean): string | undefined {
    const now = performance.now();
    if (now - this.#takenSince > WINDOW) [this.#taken, this.#takenSince] = [new Counts(), now];
    this.#isOfCalmest = !this.#isOfCalmest;
    let next: string | undefined;
    let fewest = Infinity;
    for (const [shopId, { length }] of this.#lines) {
      const items = length + this.#taken.of(shopId);
      if (items >= fewest || !isReady(shopId)) continue;
      [next, fewest] = [shopId, items];
      if (!this.#isOfCalmest || items === 1) break;
    }
    return next;
  }
}

/** The longest wait for more keys of a shop, and how many are enough. Milliseconds. */
const PATIENCE = 50;
const ENOUGH = 50;

export interface BatchesOptions<Key, Result> {
  /** Serves keys of one shop with one statement. */
  serve: (keys: Key[]) => Promise<Result[]>;
  /** Keys of a statement. */
  most: number;
  /** Statements at a time. */
  statements: number;
  /** Returns true while a shop will soon ask more, so that its statement waits for that. */
  isComing?: (shopId: string) => boolean;
  /** Returns false while no further statement should start. */
  isOpen?: () => boolean;
}

interface Waiting<Key, Result> extends Pick<PromiseWithResolvers<Result>, "promise" | "resolve" | "reject"> {
  key: Key;
}

/**
 * Serves what many loops ask with few statements. Each has what one shop's loops ask, shops take turns, and a shop has
 * one at a time.
 */
export class Batches<Key extends { shopId: string }, Result> {
  readonly waiting = new Turns<Waiting<Key, Result>>();
  readonly #options: BatchesOptions<Key, Result>;
  /** Shops with a statement. */
  readonly #busy = new Set<string>();
  /** Shops whose statement waits for more keys. */
  readonly #collecting = new Set<string>();
  #isScheduled = false;

  constructor(options: BatchesOptions<Key, Result>) {
    this.#options = options;
  }

  load(key: Key): Promise<Result> {
    const waiting = { key, ...Promise.withResolvers<Result>() };
    if (this.#options.isComing?.(key.shopId) && this.waiting.of(key.shopId) === 0) this.#collect(key.shopId);
    this.waiting.add(key.shopId, waiting);
    this.start();
    return waiting.promise;
  }

  /** Starts statements, after all loops that were woken together have asked. */
  start(): void {
    if (this.#isScheduled || this.waiting.size === 0) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#startNow();
    });
  }

  #collect(shopId: string): void {
    this.#collecting.add(shopId);
    setTimeout(() => {
      this.#collecting.delete(shopId);
      this.start();
    }, PATIENCE);
  }

  #startNow(): void {
    const { most, statements, isOpen = () => true } = this.#options;
    while (this.#busy.size < statements && isOpen()) {
      const batch = this.waiting.take(most, (shopId) => this.#isReady(shopId));
      if (batch.length === 0) return;
      void this.#serve(batch);
    }
  }

  #isReady(shopId: string): boolean {
    if (this.#busy.has(shopId)) return false;
    return !this.#collecting.has(shopId) || this.waiting.of(shopId) >= ENOUGH || !this.#options.isComing!(shopId);
  }

  async #serve(batch: Waiting<Key, Result>[]): Promise<void> {
    const { shopId } = batch[0]!.key;
    this.#busy.add(shopId);
    await this.#settle(batch);
    this.#busy.delete(shopId);
    this.start();
  }

  async #settle(batch: Waiting<Key, Result>[]): Promise<void> {
    try {
      const results = await this.#options.serve(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) for (const { reject } of batch) reject(error);
      // Serves each alone, so that one bad key does not block the others.
      else for (const one of batch) await this.#settle([one]);
    }
  }
}
