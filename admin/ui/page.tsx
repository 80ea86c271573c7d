import { useEffect, type ReactNode } from "react";
import layout from "./layout.module.css";
import styles from "./page.module.css";
import { Breakable } from "./sentence.tsx";
import { copy } from "./copy.ts";

interface PageProps {
  title: string;
  description?: ReactNode;
  /** A link to the list of a record. */
  back?: ReactNode;
  /** The primary button. */
  action?: ReactNode;
  children: ReactNode;
}

/** A page with a header. Its title is also the window's title. */
export function Page({ title, description, back, action, children }: PageProps) {
  useEffect(() => {
    document.title = copy.windowTitle(title);
  }, [title]);
  return (
    <div className={`${layout.stack} ${styles.page}`}>
      <header className={styles.head}>
        <div className={styles.intro}>
          {back}
          {/* Focusable for useRestoredFocus. */}
          <h1 tabIndex={-1}>
            <Breakable text={title} />
          </h1>
          {description && <p>{description}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}

/** A titled part of a page. */
export function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={`${layout.stack} ${styles.section}`}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** The row of filters above a list. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={layout.row}>{children}</div>;
}

/** A label and its value, for `Facts`. */
export const fact = (name: string, value: ReactNode) => [name, value] as const;

/** A list of labels and values. */
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
