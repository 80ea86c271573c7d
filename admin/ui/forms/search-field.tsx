import { useEffect, useEffectEvent, useState, type ChangeEvent } from "react";
import layout from "../layout.module.css";
import styles from "./search-field.module.css";

/** Milliseconds of debounce. */
const PAUSE = 300;

/** The text as it was when the typing last paused. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

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
  const paused = usePaused(text.trim());
  const search = useEffectEvent((found: string) => found !== value && onChange(found || undefined));
  useEffect(() => void search(paused), [paused]);
  return (
    <input
      type="search"
      className={`${layout.control} ${styles.search}`}
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

interface IdFieldProps {
  label: string;
  /** True for a complete ID, which needs no Enter. */
  isWhole: (text: string) => boolean;
  onFind: (id: string) => void;
}

/** Finds a record by its ID: on Enter, on paste, or on blur when the ID is complete. */
export function IdField({ label, isWhole, onFind }: IdFieldProps) {
  const [text, setText] = useState("");
  const [found, setFound] = useState("");
  const find = (id: string) => {
    setFound(id);
    if (id) onFind(id);
  };
  const change = ({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    setText(currentTarget.value);
    if ((nativeEvent as InputEvent).inputType === "insertFromPaste") find(currentTarget.value.trim());
  };
  const leave = () => {
    // Closing the record returns the focus here; leaving again must not reopen it.
    if (isWhole(text.trim()) && text.trim() !== found) find(text.trim());
  };
  return (
    <input
      type="search"
      className={`${layout.control} ${styles.search}`}
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={text}
      onChange={change}
      onBlur={leave}
      onKeyDown={({ key }) => key === "Enter" && find(text.trim())}
    />
  );
}
