import { useState, type ChangeEvent } from "react";
import styles from "./search-field.module.css";

interface IdFieldProps {
  label: string;
  /** Tells whether a text is a whole id, to be found without Enter. */
  isWhole: (text: string) => boolean;
  onFind: (id: string) => void;
}

/** Finds one record by its id: on Enter, when it is pasted, or when the field is left with a whole one. */
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
    // The focus comes back when what was found is closed: it is not to be opened again.
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
