import { CopyButton } from "../ui/values/copy.tsx";
import styles from "./docs.module.css";

/** Code to read and to take along. It scrolls within its frame, by keys as well. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{label}</span>
        <CopyButton text={text} label={`Copy: ${label}`} />
      </figcaption>
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
