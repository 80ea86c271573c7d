import { useEffect, useState } from "react";
import { Button } from "../button.tsx";
import { CheckIcon, CopyIcon } from "../icons.tsx";
import textStyles from "../text.module.css";
import styles from "./copy-button.module.css";
import { copy } from "../copy.ts";

/** A button that copies a text to the clipboard. */
export function CopyButton({ text, label, showsLabel = false }: { text: string; label: string; showsLabel?: boolean }) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), 2_500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const write = () =>
    void navigator.clipboard.writeText(text).then(
      () => setOutcome("copied"),
      () => setOutcome("failed"),
    );
  const message = outcome === "copied" ? copy.copied : outcome === "failed" ? copy.copyFailed : "";
  return (
    <span className={styles.copy}>
      <Button variant={showsLabel ? "plain" : "bare"} aria-label={showsLabel ? undefined : label} onClick={write}>
        {outcome === "copied" ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
        {showsLabel && label}
      </Button>
      <span role="status" className={styles.message}>
        {message}
      </span>
    </span>
  );
}

/** A code, such as an ID, with a button to copy it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <span className={styles.copyable}>
      <code className={textStyles.cut} title={text}>
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
