import styles from "./quota.module.css";
import { copy } from "../copy.ts";

/** How much of a plan's limit is used. */
export function Quota({ used, maximum, noun }: { used: number; maximum: number; noun: string }) {
  return (
    <div className={styles.quota}>
      {/* Browsers draw their own meter with a fill that is thinner than its track. */}
      <svg
        className={styles.meter}
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        role="meter"
        aria-label={copy.quotaLabel(noun)}
        aria-valuemin={0}
        aria-valuemax={maximum}
        aria-valuenow={Math.min(used, maximum)}
        aria-valuetext={copy.quota(used, maximum)}
      >
        <rect width={100} height={8} rx={4} className={styles.track} />
        <rect width={(100 * Math.min(used, maximum)) / maximum} height={8} rx={4} className={styles.used} />
      </svg>
      <span>
        <strong>{copy.quota(used, maximum)}</strong> {noun}
      </span>
    </div>
  );
}
