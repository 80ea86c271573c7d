import { useEffect, useState } from "react";
import { Button } from "../button.tsx";
import { CheckIcon, CopyIcon } from "../icons.tsx";
import styles from "./copy.module.css";

/** Puts a text into the clipboard and says so. */
export function CopyButton({ text, label, showsLabel = false }: { text: string; label: string; showsLabel?: boolean }) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), 2_500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setOutcome("copied"),
      () => setOutcome("failed"),
    );
  const told = outcome === "copied" ? "Copied" : outcome === "failed" ? "Select and copy it by hand" : "";
  return (
    <span className={styles.copy}>
      <Button look={showsLabel ? "plain" : "bare"} aria-label={showsLabel ? undefined : label} onClick={copy}>
        {outcome === "copied" ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
        {showsLabel && label}
      </Button>
      <span role="status" className={styles.told}>
        {told}
      </span>
    </span>
  );
}

/** A text to take along, such as an identifier. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <span className={styles.copyable}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
