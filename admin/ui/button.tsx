import type { ComponentProps } from "react";
import styles from "./button.module.css";

interface ButtonProps extends ComponentProps<"button"> {
  variant?: "primary" | "plain" | "danger" | "bare";
  /** Ignores clicks, without losing the focus. */
  busy?: boolean;
}

export function Button({ variant = "plain", busy = false, className = "", onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass(variant)} ${className}`}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}

/** The class names of a button, for links styled as buttons. */
export const buttonClass = (variant: NonNullable<ButtonProps["variant"]>) => `${styles.button} ${styles[variant]}`;
