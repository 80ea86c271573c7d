import { useEffect, useState } from "react";
import { currentTime } from "../../clock.ts";
import styles from "./time.module.css";
import { copy, LOCALE } from "../copy.ts";

const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "long" });
const short = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });
const units = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Formats a time relative to `now`, such as "3 minutes ago" or "in 2 days". */
export function formatTime(value: string, now: number): string {
  const seconds = Math.round((Date.parse(value) - now) / 1_000);
  const found = units.find(([, length]) => Math.abs(seconds) >= length);
  if (found) return relative.format(Math.round(seconds / found[1]), found[0]);
  return Math.abs(seconds) < 10 ? copy.justNow : relative.format(seconds, "second");
}

/** A relative time, with the exact time on hover. */
export function Time({ value }: { value: string }) {
  const now = useNow();
  return (
    <time dateTime={value} title={exact.format(new Date(value))} className={styles.time}>
      {formatTime(value, now)}
    </time>
  );
}

/** A date and time. */
export const ExactTime = ({ value }: { value: string }) => (
  <time dateTime={value} className={styles.time}>
    {short.format(new Date(value))}
  </time>
);

function useNow(): number {
  const [now, setNow] = useState(currentTime);
  useEffect(() => {
    const timer = setInterval(() => setNow(currentTime()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const HOUR = 3_600_000;

/** The time this many hours from now; negative hours are in the past. */
export const hoursAway = (hours: number) => new Date(currentTime() + hours * HOUR).toISOString();

export const isAhead = (moment: string | null): moment is string =>
  moment !== null && Date.parse(moment) > currentTime();

const hour = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(LOCALE, { weekday: "long" });

/** Formats the start of an hour, such as "14:00". */
export const formatHour = (start: string) => hour.format(Date.parse(start));

/** Formats the day of a time, such as "Monday". */
export const formatWeekday = (time: string) => day.format(Date.parse(time));

const digits = [1, 0].map((maximumFractionDigits) => new Intl.NumberFormat(LOCALE, { maximumFractionDigits }));

/** Formats milliseconds, such as "3.2 ms", "120 ms" or "2.5 s". */
export function formatDuration(milliseconds: number): string {
  const [fine, coarse] = digits as [Intl.NumberFormat, Intl.NumberFormat];
  if (milliseconds >= 1_000) return `${fine.format(milliseconds / 1_000)} s`;
  return `${(milliseconds < 10 ? fine : coarse).format(milliseconds)} ms`;
}
