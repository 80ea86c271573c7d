import { useEffect, type ReactNode } from "react";
import styles from "./entrance.module.css";
import { copy as uiCopy } from "../ui/copy.ts";
import { copy } from "./copy.ts";

/** The layout of pages without a shop. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = uiCopy.windowTitle(title);
  }, [title]);
  return (
    <main className={styles.entrance}>
      <div className={styles.card}>
        <p className={styles.product}>{copy.product}</p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
