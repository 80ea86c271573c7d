import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { labelCustomer, ReadOnly } from "../records/labels.tsx";
import { BackLink } from "../records/back-link.tsx";
import { Metadata } from "../records/metadata.tsx";
import { RecordLayout } from "../records/record-layout.tsx";
import layout from "../ui/layout.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { isPositive } from "../ui/values/money.ts";
import { fact, Page } from "../ui/page.tsx";
import { Breakable } from "../ui/sentence.tsx";
import { Copyable } from "../ui/values/copy-button.tsx";
import { Time } from "../ui/values/time.tsx";
import { CancelDialog, FulfillDialog, NotesDialog, PaymentDialog, SettleDialog } from "./order-dialogs.tsx";
import { Lines, Payments, Refunds, Totals } from "./order-parts.tsx";
import { orderQuery, UpdateOrder, type Order, type Payment } from "./order-queries.ts";
import { outstandingAmount, refundableAmount, unitsToFulfill, unitsToRefund } from "./order-sums.ts";
import { RefundDialog } from "./refund-dialog.tsx";
import { Timeline } from "./timeline.tsx";
import { OrderBadges } from "./labels.tsx";
import { copy } from "./copy.ts";

const dialogs = {
  pay: PaymentDialog,
  fulfill: FulfillDialog,
  refund: RefundDialog,
  cancel: CancelDialog,
  notes: NotesDialog,
};

export function OrderPage() {
  const { id: shopId, can } = useShop();
  const { orderId } = useParams({ from: "/$shopId/orders/$orderId" });
  const { data: order } = useSuspenseQuery(orderQuery(shopId, orderId));
  const [dialog, setDialog] = useState<keyof typeof dialogs>();
  const [payment, setPayment] = useState<Payment>();
  const canWrite = can("WRITE_ORDERS");
  const Chosen = dialog && dialogs[dialog];
  return (
    <Page
      title={copy.orderTitle(order.orderNumber)}
      back={<BackLink to="/$shopId/orders" title={copy.title} />}
      description={<OrderBadges order={order} />}
      action={canWrite && <Actions order={order} onChoose={setDialog} />}
    >
      <ReadOnly needs="WRITE_ORDERS" noun={copy.readOnly} />
      <RecordLayout
        details={copy.details}
        facts={listFacts(shopId, order)}
        note={{
          title: copy.notes,
          text: order.notes,
          none: copy.noNotes,
          action: canWrite && (
            <div>
              <Button onClick={() => setDialog("notes")}>{copy.editNotes}</Button>
            </div>
          ),
        }}
        hint={
          <>
            <Metadata record={order} document={UpdateOrder} canWrite={canWrite} />
            <CancelHint order={order} />
          </>
        }
      >
        <Lines order={order} />
        <Totals order={order} />
        <Payments order={order} onSettle={canWrite ? setPayment : undefined} />
        <Refunds order={order} />
        <Timeline order={order} />
      </RecordLayout>
      {Chosen && <Chosen order={order} onClose={() => setDialog(undefined)} />}
      {payment && <SettleDialog order={order} payment={payment} onClose={() => setPayment(undefined)} />}
    </Page>
  );
}

/** The actions that the order's status allows, the most likely one first. */
function Actions({ order, onChoose }: { order: Order; onChoose: (dialog: keyof typeof dialogs) => void }) {
  const isOpen = order.status === "CONFIRMED";
  const isRefundable = isPositive(refundableAmount(order));
  const isUnfulfilled = order.fulfillmentStatus === "UNFULFILLED";
  const possible = [
    isOpen &&
      isPositive(outstandingAmount(order)) &&
      !isPositive(order.refundedAmount) &&
      (["pay", copy.pay.action] as const),
    isOpen && order.items.some((line) => unitsToFulfill(line) > 0) && (["fulfill", copy.fulfill.action] as const),
    (isRefundable ||
      (order.status !== "CANCELLED" && !isUnfulfilled && order.items.some((line) => unitsToRefund(line) > 0))) &&
      (["refund", copy.refund.action] as const),
    isOpen && isUnfulfilled && !isRefundable && (["cancel", copy.cancel.action] as const),
  ].filter((each) => each !== false);
  return (
    <div className={layout.actions}>
      {possible.map(([dialog, label], index) => (
        <Button
          key={dialog}
          variant={dialog === "cancel" ? "danger" : index === 0 ? "primary" : "plain"}
          onClick={() => onChoose(dialog)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

function listFacts(shopId: string, order: Order) {
  const customer = order.customer ? (
    <Link to="/$shopId/customers/$customerId" params={{ shopId, customerId: order.customer.id }}>
      {labelCustomer(order.customer)}
    </Link>
  ) : (
    copy.noCustomer
  );
  return [
    fact(copy.customer, customer),
    ...(order.customer ? [fact(copy.email, <Breakable text={order.customer.email} />)] : []),
    fact(copy.placed, <Time value={order.createdAt} />),
    fact(copy.channel, copy.channels[order.channel]),
    ...(order.receiptNumber ? [fact(copy.receipt, order.receiptNumber)] : []),
    ...(order.cancelledAt ? [fact(copy.cancelledAt, <Time value={order.cancelledAt} />)] : []),
    ...(order.cancelReason ? [fact(copy.cancelReason, order.cancelReason)] : []),
    fact(copy.id, <Copyable text={order.id} label={copy.copyId} />),
  ];
}

/** What to do before the order can be cancelled. */
function CancelHint({ order }: { order: Order }) {
  const { can } = useShop();
  if (order.status !== "CONFIRMED" || !can("WRITE_ORDERS")) return null;
  if (order.fulfillmentStatus !== "UNFULFILLED") {
    return <p className={text.soft}>{copy.cannotCancelFulfilled}</p>;
  }
  if (!isPositive(refundableAmount(order))) return null;
  return <p className={text.soft}>{copy.cannotCancelPaid}</p>;
}
