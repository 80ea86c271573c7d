import type { ReactNode } from "react";
import styles from "./badge.module.css";

export type Tone = "neutral" | "good" | "warning" | "bad";

/** A colored label for a status. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
