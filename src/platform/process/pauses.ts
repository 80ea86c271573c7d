/** The interval of the beat, and the delay that counts as a pause. Milliseconds. */
const BEAT = 250;
const PAUSE = 1_000;

/**
 * Detects pauses of this process of a second or more: a stop, a suspended machine, or a long computation. Timers that
 * end during a pause run before sockets are read, so their reports may be wrong.
 */
export class PauseDetector {
  #beatAt = performance.now();
  #pausedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    this.#beatAt = performance.now();
    this.#timer = setInterval(() => this.#beat(), BEAT).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** @param moment by `performance.now()` */
  hasPausedSince(moment: number): boolean {
    this.#beat();
    return this.#pausedAt >= moment;
  }

  #beat(): void {
    const now = performance.now();
    if (now - this.#beatAt > BEAT + PAUSE) this.#pausedAt = now;
    this.#beatAt = now;
  }
}
