import styles from "./quota.module.css";
import { copy } from "../copy.ts";

/** How much of a plan's limit is used. */
export function Quota({ used, maximum, noun }: { used: number; maximum: number; noun: string }) {
  return (
    <div className={styles.quota}>
      <meter
        className={styles.meter}
        min={0}
        max={Math.max(maximum, 1)}
        value={used}
        aria-label={copy.quotaLabel(noun)}
      />
      <span>
        <strong>{copy.quota(used, maximum)}</strong> {noun}
      </span>
    </div>
  );
}
