import type { ReactNode } from "react";
import { isAway, RequestError } from "../request.ts";
import type { Tone } from "./values/badge.tsx";
import { Button } from "./button.tsx";
import { WarningIcon } from "./icons.tsx";
import styles from "./states.module.css";

/** A sentence that matters, in the colour of its weight. */
export function Notice({ tone, children }: { tone: Exclude<Tone, "neutral">; children: ReactNode }) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === "bad" ? "alert" : "note"}>
      <WarningIcon />
      <div>{children}</div>
    </div>
  );
}

/** Nothing to show yet: says what would be here, and the next step. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Stands where rows will be. */
export function Skeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className={styles.row} />
      ))}
    </div>
  );
}

/** Says what went wrong, and what one can do. */
export function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const [title, text] = explain(error);
  const requestId = error instanceof RequestError && error.requestId;
  return (
    <div className={styles.empty} role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      {requestId && (
        <p className={styles.request}>
          Request <code>{requestId}</code>
        </p>
      )}
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

function explain(error: unknown): [title: string, text: string] {
  if (isAway(error)) {
    return ["The server does not answer", "This page asks again by itself. Nothing that was saved is lost."];
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof RequestError ? error.code : "";
  if (code === "FORBIDDEN") return ["Not with your role", message];
  if (code === "NOT_FOUND" || code === "SHOP_NOT_FOUND") return ["Not found", message];
  return ["That did not work", message];
}
