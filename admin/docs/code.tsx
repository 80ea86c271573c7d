import { CopyButton } from "../ui/values/copy-button.tsx";
import styles from "./docs.module.css";
import { copy } from "./copy.ts";

/** A code block with a button to copy it. It scrolls by keyboard too. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{label}</span>
        <CopyButton text={text} label={copy.copyOf(label)} />
      </figcaption>
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
