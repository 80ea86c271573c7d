/** Differences up to this many milliseconds are ignored: the `Date` header has whole seconds. */
const TOLERANCE = 2_000;

/** How far the server's clock is ahead of the browser's, in milliseconds. */
let lead = 0;

/** Sets the clock from the `Date` header of a response. The browser's clock can be wrong. */
export function setClock(date: string | null): void {
  const found = Date.parse(date ?? "") - Date.now();
  if (Math.abs(found - lead) > TOLERANCE) lead = found;
}

/** The time by the server's clock, in milliseconds. */
export const currentTime = () => Date.now() + lead;
