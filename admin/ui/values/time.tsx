import { useEffect, useState } from "react";
import { currentTime } from "../../clock.ts";
import styles from "./time.module.css";
import { copy } from "../copy.ts";

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
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
