import { useEffect, useEffectEvent, useState } from "react";
import styles from "./search-field.module.css";

/** Milliseconds of debounce. */
const PAUSE = 300;

interface SearchFieldProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A search field that searches as you type. */
export function SearchField({ label, value = "", onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // The address also changes by other means, such as the browser's Back button.
  if (value !== known) {
    setKnown(value);
    if (value !== text.trim()) setText(value);
  }
  const search = useEffectEvent(() => onChange(text.trim() || undefined));
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(search, PAUSE);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <input
      type="search"
      className={styles.search}
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
