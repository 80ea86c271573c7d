import type { ComponentProps, ReactNode } from "react";
import { Facts } from "../ui/page.tsx";
import layout from "../ui/layout.module.css";
import text from "../ui/text.module.css";
import styles from "./records.module.css";

interface RecordLayoutProps extends ComponentProps<typeof Facts> {
  /** The heading of the facts. */
  details: string;
  /** A text about the record, which can be empty. */
  note: { title: string; text: string | null; none: string; action?: ReactNode };
  /** Shown below the note. */
  hint?: ReactNode;
  children: ReactNode;
}

/** The parts of a record's page, and beside them its facts and a text. */
export function RecordLayout({ details, facts, note, hint, children }: RecordLayoutProps) {
  return (
    <div className={styles.split}>
      <div className={`${layout.stack} ${styles.column}`}>{children}</div>
      <div className={`${layout.stack} ${styles.column}`}>
        <section className={`${layout.card} ${styles.card}`}>
          <h2>{details}</h2>
          <Facts facts={facts} />
        </section>
        <section className={`${layout.card} ${styles.card}`}>
          <h2>{note.title}</h2>
          <p className={note.text ? styles.text : text.soft}>{note.text ?? note.none}</p>
          {note.action}
        </section>
        {hint}
      </div>
    </div>
  );
}
