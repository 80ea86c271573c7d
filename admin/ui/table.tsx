import type { ReactNode } from "react";
import styles from "./table.module.css";
import { copy } from "./copy.ts";

export interface Column<Row> {
  /** The heading; empty for the column of actions. */
  title: string;
  cell: (row: Row, rows: readonly Row[]) => ReactNode;
  /** Aligns the cells to the right. */
  isNumber?: boolean;
}

interface TableProps<Row> {
  /** The table's name for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table. On narrow screens each row becomes a card. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={isNumber ? styles.number : undefined}>
                {title || <span className={styles.hidden}>{copy.actions}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }) => (
                <td key={title} data-title={title} className={isNumber ? styles.number : undefined}>
                  <div>{cell(row, rows)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
