import { useShop } from "../queries.ts";
import { labelCustomer, labelItem } from "../records/labels.tsx";
import { Button } from "../ui/button.tsx";
import { asSentence, TextField } from "../ui/forms/form.tsx";
import { CloseIcon } from "../ui/icons.tsx";
import { Select } from "../ui/forms/select.tsx";
import layout from "../ui/layout.module.css";
import { addAmounts, formatMoney, formatNumber, isPositive, negate } from "../ui/values/money.ts";
import { Table, type Column } from "../ui/table.tsx";
import text from "../ui/text.module.css";
import { Finder } from "./finder.tsx";
import { paymentMethods } from "./labels.tsx";
import { findBuyers, type QuotedOrder, type Sellable } from "./new-order-queries.ts";
import { withLine, type Draft, type DraftLine, type Problem } from "./order-draft.ts";
import { Sums } from "./order-parts.tsx";
import styles from "./orders.module.css";
import { copy } from "./copy.ts";

type Change = (changed: (old: Draft) => Draft) => void;

/** A variant that a search found. */
export function Offer({ variant: { productTitle, title, sku, price, inventoryQuantity } }: { variant: Sellable }) {
  const { currency } = useShop();
  return (
    <>
      <span>
        <span className={text.name}>{labelItem(productTitle, title)}</span>
        {sku && <span className={text.under}>{sku}</span>}
      </span>
      <span>
        {formatMoney(price, currency)}
        <span className={text.under}>{copy.create.stock(formatNumber(inventoryQuantity))}</span>
      </span>
    </>
  );
}

/** The label of the field at a path. */
const labelOf = (path: string) =>
  path.includes("discount") ? copy.totals.discount : copy.create.fields[path.split(".").at(-1)!];

/** The problems of a part of the order, below its fields. */
export const Problems = ({ all, under }: { all: readonly Problem[]; under: string }) =>
  all
    .filter(({ path }) => path.startsWith(under))
    .map(({ path, code = "", message }) => (
      <span key={path + message} role="alert" className={styles.problem}>
        {copy.create.problems[code] ?? asSentence(message, labelOf(path))}
      </span>
    ));

interface DraftLinesProps {
  draft: Draft;
  price: QuotedOrder | undefined;
  problems: readonly Problem[];
  change: Change;
}

/** The lines of the order, and the discount on all of them. */
export function DraftLines({ draft, price, problems, change }: DraftLinesProps) {
  return (
    <>
      <Table
        caption={copy.lines.caption}
        columns={lineColumns(price, problems, change)}
        rows={draft.lines}
        keyOf={({ variant }) => variant.id}
      />
      <div>
        <TextField
          name="discount"
          label={copy.create.discount}
          hint={copy.create.discountHint}
          value={draft.discount}
          onChange={({ target }) => change((old) => ({ ...old, discount: target.value }))}
        />
        <Problems all={problems} under="discount." />
      </div>
    </>
  );
}

const nameOf = ({ variant }: DraftLine) => labelItem(variant.productTitle, variant.title);

function lineColumns(
  price: QuotedOrder | undefined,
  problems: readonly Problem[],
  change: Change,
): Column<DraftLine>[] {
  const number = { isNumber: true, narrow: "labeled" } as const;
  const quotedOf = (line: DraftLine, rows: readonly DraftLine[]) => price?.lines?.[rows.indexOf(line)];
  const field =
    (name: "quantity" | "discount", label: (line: string) => string) =>
    (line: DraftLine, rows: readonly DraftLine[]) => (
      <input
        className={`${layout.control} ${styles.field}`}
        aria-label={label(nameOf(line))}
        aria-invalid={problems.some(({ path }) => path.startsWith(`lines.${rows.indexOf(line)}.${name}`))}
        inputMode={name === "quantity" ? "numeric" : "text"}
        maxLength={20}
        value={line[name]}
        onChange={({ target }) => change((old) => withLine(old, line.variant.id, { [name]: target.value }))}
      />
    );
  return [
    {
      title: copy.lines.item,
      cell: (line, rows) => (
        <>
          <span className={text.name}>{nameOf(line)}</span>
          {line.variant.sku && <span className={text.under}>{line.variant.sku}</span>}
          <Problems all={problems} under={`lines.${rows.indexOf(line)}.`} />
        </>
      ),
    },
    {
      title: copy.lines.price,
      ...number,
      cell: (line, rows) => <Money amount={quotedOf(line, rows)?.unitPrice ?? line.variant.price} />,
    },
    { title: copy.lines.quantity, ...number, cell: field("quantity", copy.create.quantityOf) },
    { title: copy.totals.discount, ...number, cell: field("discount", copy.create.discountOf) },
    {
      title: copy.lines.total,
      ...number,
      narrow: "end",
      cell: (line, rows) => <Money amount={quotedOf(line, rows)?.totalAmount} />,
    },
    {
      title: "",
      cell: (line) => (
        <button
          type="button"
          className={layout.iconButton}
          aria-label={copy.create.removeLine(nameOf(line))}
          onClick={() => change((old) => withLine(old, line.variant.id, null))}
        >
          <CloseIcon />
        </button>
      ),
    },
  ];
}

function Money({ amount }: { amount: string | undefined }) {
  const { currency } = useShop();
  return amount === undefined ? "–" : formatMoney(amount, currency);
}

export function BuyerField({ draft: { buyer }, change }: { draft: Draft; change: Change }) {
  return (
    <section className={layout.card}>
      <h2>{copy.customer}</h2>
      {buyer ? (
        <>
          <p>
            <span className={text.name}>{labelCustomer(buyer)}</span>
            <span className={text.under}>{buyer.email}</span>
          </p>
          <div>
            <Button
              onClick={() =>
                change(({ buyer: _, method, ...old }) => ({
                  ...old,
                  // Store credit belongs to a customer.
                  method: method === "STORE_CREDIT" ? undefined : method,
                }))
              }
            >
              {copy.create.removeBuyer}
            </Button>
          </div>
        </>
      ) : (
        <Finder
          label={copy.create.buyer}
          find={findBuyers}
          describe={(found) => (
            <>
              <span className={text.name}>{labelCustomer(found)}</span>
              <span className={text.small}>{found.email}</span>
            </>
          )}
          onChoose={(chosen) => change((old) => ({ ...old, buyer: chosen }))}
        />
      )}
    </section>
  );
}

interface PaymentFieldsProps {
  draft: Draft;
  change: Change;
  /** The amount of the payment. */
  due: string | null | undefined;
}

export function PaymentFields({ draft: { buyer, method, amount, tendered }, change, due }: PaymentFieldsProps) {
  const { currency } = useShop();
  const back = due && /^\d+([.,]\d+)?$/.test(tendered) && addAmounts(tendered.replace(",", "."), negate(due));
  return (
    <>
      <div>
        <Select
          label={copy.pay.method}
          none={copy.create.noPayment}
          value={method}
          options={paymentMethods.filter(([each]) => buyer || each !== "STORE_CREDIT")}
          onChange={(chosen) => change((old) => ({ ...old, method: chosen }))}
        />
      </div>
      {method && (
        <TextField
          name="amount"
          label={copy.amount(currency)}
          hint={copy.create.amountHint}
          inputMode="decimal"
          value={amount}
          onChange={({ target }) => change((old) => ({ ...old, amount: target.value }))}
        />
      )}
      {method === "CASH" && (
        <TextField
          name="tendered"
          label={copy.create.tendered(currency)}
          inputMode="decimal"
          value={tendered}
          onChange={({ target }) => change((old) => ({ ...old, tendered: target.value }))}
        />
      )}
      {method === "CASH" && back && !back.startsWith("-") && (
        <Sums currency={currency} sums={[[copy.create.change, back]]} strong={[copy.create.change]} />
      )}
    </>
  );
}

interface QuotedSumsProps {
  price: QuotedOrder;
  isTaxIncluded: boolean;
  method: Draft["method"];
}

export function QuotedSums({ price, isTaxIncluded, method }: QuotedSumsProps) {
  const { currency } = useShop();
  const { subtotalAmount, discountAmount, taxAmount, totalAmount, amountToPay } = price;
  if (subtotalAmount === null || discountAmount === null || taxAmount === null || totalAmount === null) return null;
  return (
    <Sums
      currency={currency}
      sums={[
        [copy.totals.subtotal, subtotalAmount],
        ...(isPositive(discountAmount) ? [[copy.totals.discount, negate(discountAmount)] as const] : []),
        [isTaxIncluded ? copy.totals.taxIncluded : copy.totals.taxAdded, taxAmount],
        [copy.totals.total, totalAmount],
        ...(method && amountToPay ? [[copy.create.toPay(copy.methods[method]), amountToPay] as const] : []),
      ]}
      strong={[copy.totals.total]}
    />
  );
}
