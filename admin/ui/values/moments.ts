import { currentTime } from "../../clock.ts";

const HOUR = 3_600_000;

/** The time this many hours from now; negative hours are in the past. */
export const hoursAway = (hours: number) => new Date(currentTime() + hours * HOUR).toISOString();

export const isAhead = (moment: string | null): moment is string =>
  moment !== null && Date.parse(moment) > currentTime();
