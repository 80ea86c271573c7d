import styles from "./quota.module.css";

/** The places of the plan that are taken. */
export function Quota({ used, maximum, noun }: { used: number; maximum: number; noun: string }) {
  return (
    <div className={styles.quota}>
      <meter
        className={styles.meter}
        min={0}
        max={Math.max(maximum, 1)}
        value={used}
        aria-label={`${noun} of the plan`}
      />
      <span>
        <strong>
          {used} of {maximum}
        </strong>{" "}
        {noun}
      </span>
    </div>
  );
}
