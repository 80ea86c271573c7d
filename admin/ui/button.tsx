import type { ComponentProps } from "react";
import styles from "./button.module.css";

interface ButtonProps extends ComponentProps<"button"> {
  look?: "primary" | "plain" | "danger" | "bare";
  /** Something goes on: it cannot be pressed again, and keeps the focus. */
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

/** For links that look like buttons. */
export const buttonClass = (look: NonNullable<ButtonProps["look"]>) => `${styles.button} ${styles[look]}`;
