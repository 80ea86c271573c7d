import type { ReactNode } from "react";
import { copy as accessCopy } from "../copy.ts";
import { isUnavailable, RequestError } from "../request.ts";
import type { Tone } from "./values/badge.tsx";
import { Button } from "./button.tsx";
import { WarningIcon } from "./icons.tsx";
import layout from "./layout.module.css";
import styles from "./states.module.css";
import text from "./text.module.css";
import { copy } from "./copy.ts";
import { Sentence } from "./sentence.tsx";

/** A highlighted message. */
export function Notice({ tone, children }: { tone: Exclude<Tone, "neutral">; children: ReactNode }) {
  return (
    <div className={`${styles.notice} ${text[tone]}`} role={tone === "bad" ? "alert" : "note"}>
      <WarningIcon />
      <div>{children}</div>
    </div>
  );
}

/** The empty state of a page or a list. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={`${layout.card} ${styles.empty}`}>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Placeholder rows while data loads. */
export function Skeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div className={`${layout.card} ${styles.skeleton}`} role="status" aria-label={copy.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className={styles.row} />
      ))}
    </div>
  );
}

/** An error with a button to try again. */
export function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const [title, message] = explain(error);
  const requestId = error instanceof RequestError && error.requestId;
  return (
    <div className={`${layout.card} ${styles.empty}`} role="alert">
      <h2>{title}</h2>
      <p>{message}</p>
      {requestId && (
        <p className={styles.request}>
          <Sentence text={copy.error.requestId} parts={{ id: <code>{requestId}</code> }} />
        </p>
      )}
      <Button onClick={onRetry}>{copy.error.retry}</Button>
    </div>
  );
}

function explain(error: unknown): [title: string, text: string] {
  if (isUnavailable(error)) return [accessCopy.unreachable, copy.error.unreachableHint];
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof RequestError ? error.code : "";
  if (code === "FORBIDDEN") return [copy.error.forbidden, message];
  if (code === "NOT_FOUND" || code === "SHOP_NOT_FOUND") return [copy.error.notFound, message];
  return [copy.error.failed, message];
}
