import { copy as customers } from "../customers/copy.ts";
import { copy as products } from "../products/copy.ts";
import { formatPrices, StatusBadge } from "../products/labels.tsx";
import { useShop } from "../queries.ts";
import { List } from "../records/list.tsx";
import { buttonClass } from "../ui/button.tsx";
import { fact, Facts, Section } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { endNumber, labeledNumber, Table, type Column } from "../ui/table.tsx";
import text from "../ui/text.module.css";
import { Badge } from "../ui/values/badge.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { listProblems, type Format, type Import, type PreviewItem } from "./import-queries.ts";
import { copy } from "./copy.ts";

/** The first records, as they will look. */
export function Preview({ shown: { kind, preview } }: { shown: Import }) {
  const { currency } = useShop();
  const columns = kind === "PRODUCTS" ? productColumns(currency) : customerColumns;
  return (
    <Section title={copy.preview}>
      <Table caption={copy.preview} columns={columns} rows={preview} keyOf={({ firstRow }) => String(firstRow)} />
    </Section>
  );
}

const nameColumn = (title: string): Column<PreviewItem> => ({
  title,
  cell: ({ name, problems }) => (
    <>
      <span className={text.name}>{name}</span> {problems.length > 0 && <Badge tone="bad">{copy.hasProblems}</Badge>}
    </>
  ),
});

const productColumns = (currency: string): Column<PreviewItem>[] => [
  nameColumn(products.columns.product),
  { title: products.columns.status, cell: ({ status }) => status && <StatusBadge status={status} /> },
  { title: copy.options, cell: ({ variantTitles }) => variantTitles.join(", ") },
  {
    title: products.columns.stock,
    ...labeledNumber,
    cell: ({ inventoryQuantity }) => (inventoryQuantity === null ? "–" : formatNumber(inventoryQuantity)),
  },
  {
    title: products.columns.price,
    ...endNumber,
    cell: ({ prices }) =>
      prices.length > 0 &&
      formatPrices(
        prices.map((price) => ({ price })),
        currency,
      ),
  },
];

const customerColumns: Column<PreviewItem>[] = [
  nameColumn(customers.columns.customer),
  { title: customers.columns.email, cell: ({ email }) => email },
  { title: customers.columns.phone, cell: ({ phone }) => phone },
];

/** What does not come along, and what the check did to the rest. */
export function Findings({ format: { unreadColumns, notes } }: { format: Format }) {
  if (unreadColumns.length + notes.length === 0) return null;
  return (
    <Panel title={copy.findings.title}>
      <Facts
        facts={[
          ...notes.map(({ message, count, row }) => fact(message, copy.findings.note(formatNumber(count), row))),
          ...(unreadColumns.length > 0 ? [fact(copy.findings.unread, unreadColumns.join(", "))] : []),
        ]}
      />
    </Panel>
  );
}

/** Everything that is wrong with the file. */
export function Problems({ shown: { id, problemCount } }: { shown: Import }) {
  const { id: shopId } = useShop();
  if (problemCount === 0) return null;
  const download = (
    <a href={`/imports/${shopId}/${id}/problems.csv`} className={buttonClass("plain")} download>
      {copy.download}
    </a>
  );
  return (
    <Section title={copy.problems} action={download}>
      <List
        caption={copy.problems}
        filters={{ id }}
        read={(page, options) => listProblems({ ...page, id }, options)}
        columns={problemColumns}
        empty={null}
      />
    </Section>
  );
}

type Problem = Awaited<ReturnType<typeof listProblems>>["items"][number];

const rowColumn: Column<{ row: number }> = {
  title: copy.problemColumns.row,
  narrow: "labeled",
  cell: ({ row }) => <span className={text.name}>{row}</span>,
};

const problemColumns: Column<Problem>[] = [
  rowColumn,
  { title: copy.problemColumns.column, cell: ({ column }) => column ?? copy.wholeRow },
  { title: copy.problemColumns.value, cell: ({ value }) => <span className={text.clipped}>{value}</span> },
  {
    title: copy.problemColumns.problem,
    cell: ({ message, remedy }) => (
      <>
        {message} <span className={text.under}>{remedy}</span>
      </>
    ),
  },
];

/** The records that the import refused. */
export function Refusals({ shown: { refusals } }: { shown: Import }) {
  if (refusals.length === 0) return null;
  const columns = [
    rowColumn,
    { title: copy.problemColumns.problem, cell: ({ message }: { message: string }) => message },
  ];
  return (
    <Section title={copy.counted.refusedCount}>
      <Table caption={copy.counted.refusedCount} rows={refusals} keyOf={({ row }) => String(row)} columns={columns} />
    </Section>
  );
}
