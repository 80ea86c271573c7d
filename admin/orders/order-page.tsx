import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { ReadOnly } from "../records/read-only.tsx";
import styles from "../records/records.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { isPositive } from "../ui/values/money.ts";
import { fact, Facts, Page } from "../ui/page.tsx";
import { Time } from "../ui/values/time.tsx";
import { CancelDialog, HandOverDialog, NotesDialog, PaymentDialog, SettleDialog } from "./order-dialogs.tsx";
import { Lines, Payments, Refunds, Totals } from "./order-parts.tsx";
import { orderQuery, type Order, type Payment } from "./order-queries.ts";
import { heldAmount, leftToPay, toGiveBack, toHandOver } from "./order-sums.ts";
import { RefundDialog } from "./refund-dialog.tsx";
import { channelNames, OrderBadges } from "./words.tsx";

const dialogs = {
  pay: PaymentDialog,
  handOver: HandOverDialog,
  refund: RefundDialog,
  cancel: CancelDialog,
  note: NotesDialog,
};

export function OrderPage() {
  return useShop().may("READ_ORDERS") ? <OrderDetails /> : <NoPermission title="Order" />;
}

function OrderDetails() {
  const { id: shopId, may } = useShop();
  const { orderId } = useParams({ from: "/$shopId/orders/$orderId" });
  const { data: order } = useSuspenseQuery(orderQuery(shopId, orderId));
  const [dialog, setDialog] = useState<keyof typeof dialogs>();
  const [payment, setPayment] = useState<Payment>();
  const mayWrite = may("WRITE_ORDERS");
  const Chosen = dialog && dialogs[dialog];
  return (
    <Page
      title={`Order #${order.orderNumber}`}
      description={<OrderBadges order={order} />}
      action={mayWrite && <Actions order={order} onChoose={setDialog} />}
    >
      <ReadOnly needs="WRITE_ORDERS" noun="orders" />
      <div className={styles.split}>
        <div className={styles.column}>
          <Lines order={order} />
          <Totals order={order} />
          <Payments order={order} onSettle={mayWrite ? setPayment : undefined} />
          <Refunds order={order} />
        </div>
        <Aside order={order} onNote={mayWrite ? () => setDialog("note") : undefined} />
      </div>
      {Chosen && <Chosen order={order} onClose={() => setDialog(undefined)} />}
      {payment && <SettleDialog order={order} payment={payment} onClose={() => setPayment(undefined)} />}
    </Page>
  );
}

/** The actions that the order's state allows. The first is the likeliest. */
function Actions({ order, onChoose }: { order: Order; onChoose: (dialog: keyof typeof dialogs) => void }) {
  const isOpen = order.status === "CONFIRMED";
  const holdsMoney = isPositive(heldAmount(order));
  const isUntouched = order.fulfillmentStatus === "UNFULFILLED";
  const possible = [
    isOpen && isPositive(leftToPay(order)) && !isPositive(order.refundedAmount) && (["pay", "Take a payment"] as const),
    isOpen && order.items.some((line) => toHandOver(line) > 0) && (["handOver", "Hand over"] as const),
    order.status !== "CANCELLED" &&
      (holdsMoney || (!isUntouched && order.items.some((line) => toGiveBack(line) > 0))) &&
      (["refund", "Refund"] as const),
    isOpen && isUntouched && !holdsMoney && (["cancel", "Cancel order"] as const),
  ].filter((each) => each !== false);
  return (
    <div className={styles.actions}>
      {possible.map(([dialog, label], index) => (
        <Button
          key={dialog}
          look={dialog === "cancel" ? "danger" : index === 0 ? "primary" : "plain"}
          onClick={() => onChoose(dialog)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

function Aside({ order, onNote }: { order: Order; onNote: (() => void) | undefined }) {
  const { id: shopId } = useShop();
  const customer = order.customer ? (
    <Link to="/$shopId/customers/$customerId" params={{ shopId, customerId: order.customer.id }}>
      {order.customer.email}
    </Link>
  ) : (
    "Walk-in"
  );
  const facts = [
    fact("Customer", customer),
    fact("Placed", <Time value={order.createdAt} />),
    fact("Channel", channelNames[order.channel]),
    ...(order.receiptNumber ? [fact("Receipt", order.receiptNumber)] : []),
    ...(order.cancelledAt ? [fact("Cancelled", <Time value={order.cancelledAt} />)] : []),
    ...(order.cancelReason ? [fact("Why", order.cancelReason)] : []),
  ];
  return (
    <div className={styles.column}>
      <section className={styles.card}>
        <h2>About the order</h2>
        <Facts facts={facts} />
      </section>
      <section className={styles.card}>
        <h2>Notes</h2>
        <p className={order.notes ? styles.text : text.soft}>{order.notes ?? "Nothing is noted."}</p>
        {onNote && (
          <div>
            <Button onClick={onNote}>Edit notes</Button>
          </div>
        )}
      </section>
      <WhyNotCancelled order={order} />
    </div>
  );
}

/** Says what has to be done before the order could be cancelled. */
function WhyNotCancelled({ order }: { order: Order }) {
  const { may } = useShop();
  if (order.status !== "CONFIRMED" || !may("WRITE_ORDERS")) return null;
  if (order.fulfillmentStatus !== "UNFULFILLED") {
    return <p className={text.soft}>Something was handed over: to call the order off, refund all of its units.</p>;
  }
  if (!isPositive(heldAmount(order))) return null;
  return <p className={text.soft}>To cancel the order, give back first what was paid for it.</p>;
}
