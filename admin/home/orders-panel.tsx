import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { LOCALE } from "../ui/copy.ts";
import { BarChart } from "../ui/chart.tsx";
import { Panel } from "../ui/panel.tsx";
import { Stat, Stats } from "../ui/stat.tsx";
import { addAmounts, formatMoney, formatNumber, negate } from "../ui/values/money.ts";
import { orderFiguresQuery } from "./home-queries.ts";
import { copy } from "./copy.ts";

const HEIGHT = 72;
// The days are those of the time zone already.
const day = new Intl.DateTimeFormat(LOCALE, { weekday: "long", timeZone: "UTC" });

interface Day {
  day: string;
  orders: number;
  totalAmount: string;
  refundedAmount: string;
}

/** The sales after refunds, which belong to the day on which they were made. */
const salesOf = (days: readonly Day[]) =>
  addAmounts(...days.flatMap(({ totalAmount, refundedAmount }) => [totalAmount, negate(refundedAmount)]));

/** The number of orders, and the sales. */
function describe(days: readonly Day[], currency: string) {
  const count = days.reduce((sum, { orders }) => sum + orders, 0);
  return [copy.orders.count(count, formatNumber(count)), formatMoney(salesOf(days), currency)] as const;
}

/** The sales of today and of the last week, and the numbers of orders to fulfill, to be paid and to refund. */
export function OrdersPanel() {
  const { id: shopId, currency } = useShop();
  const { dailyOrders, unfulfilled, paymentDue, toGiveBack } = useSuspenseQuery(orderFiguresQuery(shopId)).data;
  const today = dailyOrders.slice(-1);
  const figure = (label: string, [count, amount]: readonly [string, string], since: string) => (
    <Stat
      label={label}
      detail={
        <>
          <Link to="/$shopId/orders" params={{ shopId }} search={{ status: "NOT_CANCELLED", since }}>
            {count}
          </Link>
          , {copy.orders.afterRefunds}
        </>
      }
    >
      {amount}
    </Stat>
  );
  const counts = [
    [
      copy.orders.unfulfilled,
      copy.orders.recent,
      unfulfilled,
      { status: "CONFIRMED", fulfillment: "UNFULFILLED", since: "30" },
    ],
    [copy.orders.paymentDue, copy.orders.recent, paymentDue, { payment: "DUE", since: "30" }],
    [copy.orders.toGiveBack, copy.orders.overpaid, toGiveBack, { payment: "OVERPAID" }],
  ] as const;
  return (
    <Panel title={copy.orders.title}>
      <Stats>
        {figure(copy.orders.salesToday, describe(today, currency), "1")}
        {figure(copy.orders.salesOfWeek, describe(dailyOrders, currency), "7")}
        {counts.map(([label, detail, { total }, search]) => (
          <Stat key={label} label={label} detail={detail}>
            <Link to="/$shopId/orders" params={{ shopId }} search={search}>
              {formatNumber(total)}
            </Link>
          </Stat>
        ))}
      </Stats>
      {dailyOrders.some(({ orders }) => orders > 0) && <SalesChart days={dailyOrders} currency={currency} />}
    </Panel>
  );
}

function SalesChart({ days, currency }: { days: readonly Day[]; currency: string }) {
  const decimals = days[0]!.totalAmount.split(".")[1]?.length ?? 0;
  return (
    <BarChart
      label={copy.orders.chart(...describe(days, currency))}
      height={HEIGHT}
      ends={[day.format(Date.parse(days[0]!.day)), copy.orders.today]}
      bars={days.map((each) => ({
        label: copy.orders.day(day.format(Date.parse(each.day)), ...describe([each], currency)),
        good: Math.max(0, Number(salesOf([each]))),
      }))}
      format={(amount) => formatMoney(amount.toFixed(decimals), currency)}
    />
  );
}
