import { Link } from "@tanstack/react-router";
import { useShop } from "../../queries.ts";
import { BackLink } from "../../records/back-link.tsx";
import { labelCustomer, labelItem } from "../../records/labels.tsx";
import records from "../../records/records.module.css";
import { NoPermission } from "../../shell/no-permission.tsx";
import { Button } from "../../ui/button.tsx";
import { asSentence, Switch, TextField } from "../../ui/forms/form.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { CloseIcon } from "../../ui/icons.tsx";
import layout from "../../ui/layout.module.css";
import { Page } from "../../ui/page.tsx";
import { Sentence } from "../../ui/sentence.tsx";
import { Notice } from "../../ui/states.tsx";
import { endNumber, labeledNumber, Table, type Column } from "../../ui/table.tsx";
import text from "../../ui/text.module.css";
import { formatMoney, formatNumber } from "../../ui/values/money.ts";
import { copy } from "../copy.ts";
import { paymentMethods } from "../labels.tsx";
import { partsOf, Sums, type Priced } from "../order-parts.tsx";
import styles from "../orders.module.css";
import { Finder } from "./finder.tsx";
import { findBuyers, findVariants, type Buyer, type Sellable } from "./new-order-queries.ts";
import { useNewOrder, type DraftLine } from "./use-new-order.ts";

/** Creates an order: as set at first, a sale over the counter, paid in cash. */
export function NewOrderPage() {
  const { can } = useShop();
  return can("WRITE_ORDERS") ? <NewOrderForm /> : <NoPermission title={copy.create.action} />;
}

function NewOrderForm() {
  const { currency, can } = useShop();
  const order = useNewOrder();
  const { change, price, problems } = order;
  const { lines, discount, buyer } = order.draft;
  const setQuantity = ({ variant }: DraftLine, quantity: string) =>
    change((old) => ({ lines: old.lines.map((each) => (each.variant === variant ? { variant, quantity } : each)) }));
  const remove = (line: DraftLine) => change((old) => ({ lines: old.lines.filter((each) => each !== line) }));
  return (
    <Page title={copy.create.action} back={<BackLink to="/$shopId/orders" title={copy.title} />}>
      <div className={records.split}>
        <div className={`${layout.stack} ${records.column}`}>
          <Finder
            label={copy.create.variant}
            find={findVariants}
            describe={(variant) => [
              `${nameOf({ variant })} ${variant.sku ?? ""}`,
              copy.create.offer(
                formatMoney(variant.price, currency),
                variant.isStockTracked ? formatNumber(variant.inventoryQuantity) : null,
              ),
            ]}
            onChoose={(variant) => change(({ lines: old }) => ({ lines: withUnit(old, variant) }))}
            autoFocus
          />
          {lines.length > 0 && (
            <Table
              caption={copy.lines.caption}
              columns={lineColumns({ currency, price, problems, setQuantity, remove })}
              rows={lines}
              keyOf={({ variant }) => variant.id}
            />
          )}
          <TextField
            name="discount"
            label={copy.create.discount}
            hint={copy.create.discountHint}
            value={discount}
            onChange={({ target }) => change(() => ({ discount: target.value }))}
          />
        </div>
        <div className={`${layout.stack} ${records.column}`}>
          {can("READ_CUSTOMERS") && <BuyerField buyer={buyer} onChange={(chosen) => change(withBuyer(chosen))} />}
          <Summary order={order} />
        </div>
      </div>
    </Page>
  );
}

/** The payment, the price, the problems and the button. */
function Summary({ order }: { order: ReturnType<typeof useNewOrder> }) {
  const { id: shopId, currency } = useShop();
  const { draft, change, price, problems, isQuoting, isUncertain, isReady, submit } = order;
  const { lines, buyer, method, isHandedOver } = draft;
  const orders = (
    <Link to="/$shopId/orders" params={{ shopId }} target="_blank">
      {copy.title}
    </Link>
  );
  return (
    <section className={layout.card} aria-busy={isQuoting}>
      <h2>{copy.create.summary}</h2>
      <Select
        label={copy.pay.method}
        none={copy.create.noPayment}
        value={method}
        options={paymentMethods.filter(([each]) => buyer || each !== STORE_CREDIT)}
        onChange={(chosen) => change(() => ({ method: chosen }))}
      />
      {lines.length === 0 && <p className={text.soft}>{copy.create.noLines}</p>}
      {price?.totalAmount && (
        <Sums
          currency={currency}
          sums={[
            ...partsOf(price as Priced),
            [copy.totals.total, price.totalAmount],
            ...(method ? [[copy.create.toPay(copy.methods[method]), price.amountToPay!] as const] : []),
          ]}
          strong={[copy.totals.total]}
        />
      )}
      <CashField order={order} />
      <Switch
        label={copy.create.handedOver}
        checked={isHandedOver}
        onChange={(checked) => change(() => ({ isHandedOver: checked }))}
      />
      {problems
        .filter(({ path }) => !path.startsWith("lines."))
        .map(({ path, message }) => (
          <Notice key={path + message} tone="bad">
            {asSentence(message, path.startsWith("discount") ? copy.create.discount : undefined)}
          </Notice>
        ))}
      {isUncertain && (
        <Notice tone="warning">
          <Sentence text={copy.create.uncertain} parts={{ orders }} />
        </Notice>
      )}
      <div>
        <Button variant="primary" busy={!isReady} onClick={submit}>
          {copy.create.submit}
        </Button>
      </div>
    </section>
  );
}

function CashField({ order: { draft, change, cash } }: { order: ReturnType<typeof useNewOrder> }) {
  return (
    cash && (
      <TextField
        name="tendered"
        label={copy.create.tendered}
        inputMode="decimal"
        aria-invalid={!cash.isEnough}
        value={draft.tendered}
        onChange={({ target }) => change(() => ({ tendered: target.value }))}
        hint={
          <span role="status" className={styles.change}>
            {cash.text}
          </span>
        }
      />
    )
  );
}

const nameOf = ({ variant }: Pick<DraftLine, "variant">) => labelItem(variant.productTitle, variant.title);

/** Adds a unit of a variant. */
const withUnit = (lines: readonly DraftLine[], variant: Sellable): readonly DraftLine[] => {
  const known = lines.find((line) => line.variant.id === variant.id);
  if (!known) return [...lines, { variant, quantity: "1" }];
  const quantity = String((Number(known.quantity) || 0) + 1);
  return lines.map((line) => (line === known ? { ...line, quantity } : line));
};

const STORE_CREDIT = "STORE_CREDIT";

/** Sets the customer, and with it the store credit that can be spent. */
const withBuyer =
  (buyer: Buyer | undefined) =>
  ({ method }: ReturnType<typeof useNewOrder>["draft"]) => ({
    buyer,
    method: method === STORE_CREDIT ? undefined : method,
  });

interface BuyerFieldProps {
  buyer: Buyer | undefined;
  onChange: (buyer: Buyer | undefined) => void;
}

function BuyerField({ buyer, onChange }: BuyerFieldProps) {
  return (
    <section className={layout.card}>
      <h2>{copy.customer}</h2>
      {buyer ? (
        <p className={layout.row}>
          <span>
            {labelCustomer(buyer)} <span className={text.under}>{buyer.email}</span>
          </span>
          <Remove name={labelCustomer(buyer)} onRemove={() => onChange(undefined)} autoFocus />
        </p>
      ) : (
        <Finder
          label={copy.create.buyer}
          find={findBuyers}
          describe={(found) => [labelCustomer(found), found.email]}
          onChoose={onChange}
        />
      )}
    </section>
  );
}

const Remove = ({ name, onRemove, autoFocus }: { name: string; onRemove: () => void; autoFocus?: boolean }) => (
  <button
    type="button"
    className={layout.iconButton}
    aria-label={copy.create.remove(name)}
    autoFocus={autoFocus}
    onClick={onRemove}
  >
    <CloseIcon />
  </button>
);

interface LineColumnsProps extends Pick<ReturnType<typeof useNewOrder>, "price" | "problems"> {
  currency: string;
  setQuantity: (line: DraftLine, quantity: string) => void;
  remove: (line: DraftLine) => void;
}

function lineColumns({ currency, price, problems, setQuantity, remove }: LineColumnsProps): Column<DraftLine>[] {
  const quoted = (line: DraftLine, lines: readonly DraftLine[]) => price?.lines?.[lines.indexOf(line)];
  const problemsOf = (line: DraftLine, lines: readonly DraftLine[]) =>
    problems.filter(({ path }) => path.startsWith(`lines.${lines.indexOf(line)}.`));
  return [
    {
      title: copy.lines.item,
      cell: (line, lines) => (
        <>
          <span className={text.name}>{nameOf(line)}</span>
          {line.variant.sku && <span className={text.under}>{line.variant.sku}</span>}
          {problemsOf(line, lines).map(({ path, code = "", message }) => (
            <span key={path} role="alert" className={styles.problem}>
              {copy.create.problems[code] ?? asSentence(message, copy.lines.quantity)}
            </span>
          ))}
        </>
      ),
    },
    {
      title: copy.lines.price,
      ...labeledNumber,
      cell: (line, lines) => formatMoney(quoted(line, lines)?.unitPrice ?? line.variant.price, currency),
    },
    {
      title: copy.lines.quantity,
      ...labeledNumber,
      cell: (line, lines) => (
        <input
          className={`${layout.control} ${styles.quantity}`}
          aria-label={copy.create.quantityOf(nameOf(line))}
          aria-invalid={problemsOf(line, lines).length > 0}
          inputMode="numeric"
          maxLength={10}
          value={line.quantity}
          onChange={({ target }) => setQuantity(line, target.value)}
        />
      ),
    },
    {
      title: copy.lines.total,
      ...endNumber,
      cell: (line, lines) => {
        const total = quoted(line, lines)?.totalAmount;
        return total === undefined ? "–" : formatMoney(total, currency);
      },
    },
    { title: "", cell: (line) => <Remove name={nameOf(line)} onRemove={() => remove(line)} /> },
  ];
}
