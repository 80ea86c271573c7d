import { setTimeout as wait } from "node:timers/promises";

/** Asks every 10 ms until the answer is true. Returns false once `patience`, in milliseconds, is over. */
export async function becomesTrue(ask: () => Promise<boolean>, patience: number): Promise<boolean> {
  for (const end = performance.now() + patience; performance.now() < end; await wait(10)) {
    if (await ask()) return true;
  }
  return false;
}

/** Runs a task repeatedly with a pause between runs, and once more on `stop`. */
export class Recurring {
  readonly #work: () => Promise<void>;
  readonly #rest: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  /**
   * @param rest the pause in milliseconds
   * @param work never throws
   */
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

  /** Waits for the current run, then runs the task a last time. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#work();
  }
}
