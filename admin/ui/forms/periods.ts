import { oneOf } from "./select.tsx";
import { currentTime } from "../../clock.ts";
import { copy } from "../copy.ts";

/** Periods by their number of days, including today. */
export const periods = [
  ["1", copy.periods.today],
  ["7", copy.periods.days(7)],
  ["30", copy.periods.days(30)],
  ["90", copy.periods.days(90)],
] as const;

/** The start of a period's first day. It stays the same all day, as cursors require. */
export function beginOf(period: string | undefined): string | undefined {
  const days = oneOf(periods, period);
  if (!days) return undefined;
  const day = new Date(currentTime());
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - Number(days) + 1);
  return day.toISOString();
}
