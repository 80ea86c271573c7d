// Preloaded into a separate process to shift its clock by a number of milliseconds.
const shift = Number(process.env.CLOCK_SHIFT);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...parts: unknown[]) {
    super(...((parts.length === 0 ? [RealDate.now() + shift] : parts) as [number]));
  }

  static override now(): number {
    return RealDate.now() + shift;
  }
} as DateConstructor;
