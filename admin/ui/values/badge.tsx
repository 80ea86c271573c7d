import type { ReactNode } from "react";
import text from "../text.module.css";
import styles from "./badge.module.css";

export type Tone = "neutral" | "good" | "warning" | "bad";

/** A colored label for a status. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`${styles.badge} ${tone === "neutral" ? styles.neutral : text[tone]}`}>{children}</span>;
}
