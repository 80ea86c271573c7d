import { useState, type ReactNode } from "react";
import { ArrowIcon, ChevronIcon } from "./icons.tsx";
import styles from "./table.module.css";
import text from "./text.module.css";
import { copy } from "./copy.ts";

export interface Column<Row> {
  /** The heading; empty for the column of actions. */
  title: string;
  cell: (row: Row, rows: readonly Row[]) => ReactNode;
  /** Aligns the cells to the right. */
  isNumber?: boolean;
  /** The name of the sorting by this column. */
  sort?: string;
  /** On narrow screens: last on the row's first line, with its heading on the second, or nowhere. */
  narrow?: "end" | "labeled" | "hidden";
}

/** Marks columns of numbers. */
export const labeledNumber = { isNumber: true, narrow: "labeled" } as const;
export const endNumber = { isNumber: true, narrow: "end" } as const;

export interface Sorting {
  by: string;
  order: "ASC" | "DESC";
  onChange: (changed: { sort: string; order: "ASC" | "DESC" }) => void;
}

interface TableProps<Row> {
  /** The table's name for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  sorting?: Sorting | undefined;
  /** What pressing the first cell of a row shows below it. */
  detail?: ((row: Row) => ReactNode) | undefined;
}

/** A table. On narrow screens each row has two lines: its first and "end" columns, then all others. */
export function Table<Row>({ caption, columns, rows, keyOf, sorting, detail }: TableProps<Row>) {
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={text.hidden}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BodyRow key={keyOf(row)} row={row} rows={rows} columns={columns} detail={detail} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BodyRow<Row>({
  row,
  rows,
  columns,
  detail,
}: { row: Row } & Pick<TableProps<Row>, "rows" | "columns" | "detail">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <tr>
        {columns.map(({ title, cell, isNumber, narrow }, index) => (
          <td key={title} data-title={title} data-narrow={narrow} className={isNumber ? styles.number : undefined}>
            <div>
              {detail && index === 0 ? (
                <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                  <ChevronIcon size={16} />
                  {cell(row, rows)}
                </button>
              ) : (
                cell(row, rows)
              )}
            </div>
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr className={styles.detail}>
          <td colSpan={columns.length}>{detail?.(row)}</td>
        </tr>
      )}
    </>
  );
}

interface HeadingProps {
  column: Pick<Column<never>, "title" | "isNumber" | "sort">;
  sorting: Sorting | undefined;
}

/** The heading of a column. Pressing it sorts by the column, or reverses the order. */
function Heading({ column: { title, isNumber, sort }, sorting }: HeadingProps) {
  const className = isNumber ? styles.number : undefined;
  if (!sort || !sorting) {
    return (
      <th scope="col" className={className}>
        {title || <span className={text.hidden}>{copy.actions}</span>}
      </th>
    );
  }
  const order = sorting.by === sort ? sorting.order : undefined;
  return (
    <th scope="col" className={className} aria-sort={order && (order === "ASC" ? "ascending" : "descending")}>
      <button
        type="button"
        className={styles.sort}
        data-order={order}
        onClick={() => sorting.onChange({ sort, order: order === "DESC" ? "ASC" : "DESC" })}
      >
        {title}
        <ArrowIcon size={14} />
      </button>
    </th>
  );
}
