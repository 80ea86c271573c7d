/** The interval of the beat, and the delay of it that counts as a pause. Milliseconds. */
const BEAT = 250;
const PAUSE = 1_000;

/**
 * Notices when this process stood still for a second or more: stopped, on a machine that was suspended, or in one long
 * computation. Timers that end meanwhile run before sockets are read, so what they report may be wrong.
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
