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

/** The orders of today and of the last week, and the number of unpaid and unfulfilled ones. */
export function OrdersPanel() {
  const { id: shopId, currency } = useShop();
  const { dailyOrders, unfulfilled, unpaid } = useSuspenseQuery(orderFiguresQuery(shopId)).data;
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
        <Link to="/$shopId/orders" params={{ shopId }} search={{ since }}>
          {count}
        </Link>
      }
    >
      {amount}
    </Stat>
  );
  const open = { status: "CONFIRMED", since: "30" };
  return (
    <Panel title={copy.orders.title}>
      <Stats>
        {figure(copy.orders.today, describe(today), "1")}
        {figure(copy.orders.week, describe(dailyOrders), "7")}
        <Stat label={copy.orders.unfulfilled} detail={copy.orders.recent}>
          <Link to="/$shopId/orders" params={{ shopId }} search={{ ...open, fulfillment: "UNFULFILLED" }}>
            {formatNumber(unfulfilled.total)}
          </Link>
        </Stat>
        <Stat label={copy.orders.unpaid} detail={copy.orders.recent}>
          <Link to="/$shopId/orders" params={{ shopId }} search={{ ...open, payment: "UNPAID" }}>
            {formatNumber(unpaid.total)}
          </Link>
        </Stat>
      </Stats>
      <BarChart
        label={copy.orders.chart(...describe(dailyOrders))}
        height={HEIGHT}
        ends={[day.format(Date.parse(dailyOrders[0]!.day)), copy.orders.today]}
        bars={dailyOrders.map((each) => ({
          label: copy.orders.day(day.format(Date.parse(each.day)), ...describe([each])),
          good: each.orders,
        }))}
      />
    </Panel>
  );
}
