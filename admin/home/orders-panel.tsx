import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { BarChart } from "../ui/chart.tsx";
import { Panel } from "../ui/panel.tsx";
import { Stat, Stats } from "../ui/stat.tsx";
import { addAmounts, formatMoney, formatNumber } from "../ui/values/money.ts";
import { orderFiguresQuery } from "./home-queries.ts";
import { copy } from "./copy.ts";

const HEIGHT = 72;
// The days are those of the time zone already.
const day = new Intl.DateTimeFormat(undefined, { weekday: "long", timeZone: "UTC" });

/** The orders of today and of the last week, and the number of unfulfilled ones and those with a payment due. */
export function OrdersPanel() {
  const { id: shopId, currency } = useShop();
  const { dailyOrders, unfulfilled, paymentDue } = useSuspenseQuery(orderFiguresQuery(shopId)).data;
  const today = dailyOrders.slice(-1);
  const describe = (days: typeof dailyOrders) => {
    const count = days.reduce((sum, { orders }) => sum + orders, 0);
    const amount = addAmounts(...days.map(({ totalAmount }) => totalAmount));
    return [copy.orders.count(count, formatNumber(count)), formatMoney(amount, currency)] as const;
  };
  const figure = (label: string, [count, amount]: readonly [string, string], since: string) => (
    <Stat
      label={label}
      detail={
        <Link to="/$shopId/orders" params={{ shopId }} search={{ status: "NOT_CANCELLED", since }}>
          {count}
        </Link>
      }
    >
      {amount}
    </Stat>
  );
  return (
    <Panel title={copy.orders.title}>
      <Stats>
        {figure(copy.orders.today, describe(today), "1")}
        {figure(copy.orders.week, describe(dailyOrders), "7")}
        <Stat label={copy.orders.unfulfilled} detail={copy.orders.recent}>
          <Link
            to="/$shopId/orders"
            params={{ shopId }}
            search={{ status: "CONFIRMED", fulfillment: "UNFULFILLED", since: "30" }}
          >
            {formatNumber(unfulfilled.total)}
          </Link>
        </Stat>
        <Stat label={copy.orders.paymentDue} detail={copy.orders.recent}>
          <Link to="/$shopId/orders" params={{ shopId }} search={{ payment: "DUE", since: "30" }}>
            {formatNumber(paymentDue.total)}
          </Link>
        </Stat>
      </Stats>
      {dailyOrders.some(({ orders }) => orders > 0) && (
        <BarChart
          label={copy.orders.chart(...describe(dailyOrders))}
          height={HEIGHT}
          ends={[day.format(Date.parse(dailyOrders[0]!.day)), copy.orders.today]}
          bars={dailyOrders.map((each) => ({
            label: copy.orders.day(day.format(Date.parse(each.day)), ...describe([each])),
            good: each.orders,
          }))}
        />
      )}
    </Panel>
  );
}
