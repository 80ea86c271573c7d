import { useState, type ChangeEvent } from "react";
import styles from "./search-field.module.css";

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
      className={styles.search}
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
