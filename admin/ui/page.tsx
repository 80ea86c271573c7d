import { useEffect, type ReactNode } from "react";
import styles from "./page.module.css";

interface PageProps {
  title: string;
  description?: ReactNode;
  /** The button for the most frequent task here. */
  action?: ReactNode;
  children: ReactNode;
}

/** A page's head and body. Its title is the window's too. */
export function Page({ title, description, action, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Admin`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.words}>
          {/* It takes the focus when what had it is gone. */}
          <h1 tabIndex={-1}>{title}</h1>
          {description && <p>{description}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}

/** A part of a page with a head of its own. */
export function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** The filters above a list. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={styles.toolbar}>{children}</div>;
}

/** A name and its value. */
export const fact = (name: string, value: ReactNode) => [name, value] as const;

/** Names and values, one under the other. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
