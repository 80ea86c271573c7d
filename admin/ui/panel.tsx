import type { ReactNode } from "react";
import layout from "./layout.module.css";
import styles from "./panel.module.css";

/** A card with a heading and a link or a button beside it. */
export function Panel({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={`${layout.card} ${styles.panel}`}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <div className={styles.action}>{action}</div>
      </div>
      {children}
    </section>
  );
}

/** Panels side by side where there is room. */
export function Panels({ children }: { children: ReactNode }) {
  return <div className={styles.panels}>{children}</div>;
}
