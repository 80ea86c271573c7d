/** The difference from which on the browser's clock counts as wrong: the server's time comes in whole seconds. */
const TOLERANCE = 2_000;

/** The time by which the server's clock is ahead of the browser's, in milliseconds. */
let lead = 0;

/** Sets the clock by the `Date` of an answer: moments come from the server, and the browser's clock may be off. */
export function setClock(date: string | null): void {
  const found = Date.parse(date ?? "") - Date.now();
  if (Math.abs(found - lead) > TOLERANCE) lead = found;
}

/** The time by the server's clock, in milliseconds. */
export const currentTime = () => Date.now() + lead;
