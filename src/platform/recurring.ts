/** A work that is done again and again, with a rest after each time, and once more at the end. */
export class Recurring {
  readonly #work: () => Promise<void>;
  readonly #rest: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** @param rest in milliseconds. @param work never throws */
  constructor(rest: number, work: () => Promise<void>) {
    this.#rest = rest;
    this.#work = work;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#work().then(() => {
        if (!this.#isStopped) this.start();
      });
    }, this.#rest);
  }

  /** Does the work for the last time, after what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#work();
  }
}
