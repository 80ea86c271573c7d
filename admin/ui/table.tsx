import type { ReactNode } from "react";
import styles from "./table.module.css";

export interface Column<Row> {
  /** The head; empty for the actions of a row. */
  title: string;
  cell: (row: Row, rows: readonly Row[]) => ReactNode;
  /** Numbers and amounts, which are read from the right. */
  isNumber?: boolean;
}

interface TableProps<Row> {
  /** Names the table for those who do not see it. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** Rows and columns; on narrow screens each row is a card with the heads beside its cells. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={isNumber ? styles.number : undefined}>
                {title || <span className={styles.hidden}>Actions</span>}
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
