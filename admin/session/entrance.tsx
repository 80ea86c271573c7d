import { useEffect, type ReactNode } from "react";
import styles from "./entrance.module.css";
import { copy as uiCopy } from "../ui/copy.ts";
import { buttonClass } from "../ui/button.tsx";
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

/** Links to the same page at the server's public address, the only one where sessions work. */
export function WrongAddress({ baseUrl }: { baseUrl: string }) {
  const { origin, pathname, search, hash } = location;
  return (
    <Entrance title={copy.wrongAddress.title(baseUrl)}>
      <p className={styles.soft}>{copy.wrongAddress.text(origin)}</p>
      <a className={`${buttonClass("primary")} ${styles.other}`} href={`${baseUrl}${pathname}${search}${hash}`}>
        {copy.wrongAddress.open(baseUrl)}
      </a>
    </Entrance>
  );
}
