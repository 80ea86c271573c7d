import { oneOf } from "../forms/options.ts";
import { currentTime } from "./clock.ts";

/** Days by their number, today among them. */
export const periods = [
  ["1", "Today"],
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
  ["90", "Last 90 days"],
] as const;

/** The beginning of a period's first day: the same all day, as cursors need it. */
export function beginOf(period: string | undefined): string | undefined {
  const days = oneOf(periods, period);
  if (!days) return undefined;
  const day = new Date(currentTime());
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - Number(days) + 1);
  return day.toISOString();
}
