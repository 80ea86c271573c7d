import type { ReactNode } from "react";
import styles from "./stat.module.css";

/** A row of figures. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>;
}

/** A figure below its label, with an optional detail. */
export function Stat({ label, detail, children }: { label: string; detail?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.stat}>
      <dt>{label}</dt>
      <dd className={styles.figure}>{children}</dd>
      {detail && <dd className={styles.detail}>{detail}</dd>}
    </div>
  );
}
