import { useEffect, type ReactNode } from "react";
import styles from "./entrance.module.css";

/** The card on which people come in. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Admin`;
  }, [title]);
  return (
    <main className={styles.entrance}>
      <div className={styles.card}>
        <p className={styles.product}>Merchant API</p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
