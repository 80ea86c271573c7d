import styles from "./raw-text.module.css";
import { copy } from "../copy.ts";

/** The raw text of a request or response, scrollable by keyboard. */
export function RawText({ label, children }: { label: string; children: string }) {
  return (
    <pre className={styles.text} role="group" tabIndex={0} aria-label={label}>
      {children || copy.emptyText}
    </pre>
  );
}
