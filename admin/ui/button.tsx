import type { ComponentProps } from "react";
import styles from "./button.module.css";

interface ButtonProps extends ComponentProps<"button"> {
  look?: "primary" | "plain" | "danger" | "bare";
  /** Something is under way: it cannot be pressed again, and keeps the focus. */
  busy?: boolean;
}

export function Button({ look = "plain", busy = false, className = "", onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass(look)} ${className}`}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}

/** The classes of a button, for links that look like one. */
export const buttonClass = (look: NonNullable<ButtonProps["look"]>) => `${styles.button} ${styles[look]}`;
