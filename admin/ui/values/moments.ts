import { currentTime } from "./clock.ts";

const HOUR = 3_600_000;

/** The moment so many hours from now, or ago when negative. */
export const hoursAway = (hours: number) => new Date(currentTime() + hours * HOUR).toISOString();

export const isAhead = (moment: string | null): moment is string =>
  moment !== null && Date.parse(moment) > currentTime();
